"""What several benchmarks need: clocks, facts of the machine, reports; no benchmark."""
