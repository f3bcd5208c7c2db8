#!/bin/sh
# Leitong @VERSION@ for Linux, everything in this file. Installs for the user who runs it; needs no
# Python and no administrator. Run again it updates; `--remove` takes all of it away, not your texts.
set -eu
data=${XDG_DATA_HOME:-"$HOME/.local/share"}
place=$data/leitong-program
bin=$HOME/.local/bin
entries="$data/applications/leitong.desktop $data/mime/packages/leitong.xml
    $data/icons/hicolor/scalable/apps/leitong.svg"

tell_desktop() {
    command -v update-desktop-database >/dev/null && update-desktop-database -q "$data/applications" || :
    command -v update-mime-database >/dev/null && update-mime-database "$data/mime" || :
}

if [ "${1:-}" = --remove ]; then
    rm -rf "$place"
    # the link is ours only where it leads into the folder
    case $(readlink "$bin/leitong" 2>/dev/null || :) in "$place"/*) rm -f "$bin/leitong" ;; esac
    rm -f $entries
    tell_desktop
    echo "Leitong is removed. Your checks stay in $data/leitong."
    exit 0
fi

fresh=$place.new
rm -rf "$fresh"
mkdir -p "$fresh" "$bin" "$data/applications" "$data/mime/packages" "$data/icons/hicolor/scalable/apps"
lines=$(awk '/^__ARCHIVE__$/ { print NR + 1; exit }' "$0")
tail -n "+$lines" "$0" | tar -xz -C "$fresh" --strip-components=1
rm -rf "$place" # a running one goes on with the files that it has opened
mv "$fresh" "$place"
ln -sf "$place/leitong" "$bin/leitong"
sed "s|@PLACE@|$place|" "$place/install/leitong.desktop" >"$data/applications/leitong.desktop"
cp "$place/install/leitong.xml" "$data/mime/packages/leitong.xml"
cp "$place/_internal/pages/_ui/shared/brand/icon.svg" "$data/icons/hicolor/scalable/apps/leitong.svg"
tell_desktop
echo "Leitong @VERSION@ is installed: in the menu, and as $bin/leitong."
echo "To remove it: sh $0 --remove, or sh $place/install/install.sh --remove"
exit 0
__ARCHIVE__
