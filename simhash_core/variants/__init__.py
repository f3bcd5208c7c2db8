"""What many texts share: groups of witnesses, their collation, who agrees with whom."""
