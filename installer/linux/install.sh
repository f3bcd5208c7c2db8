#!/bin/sh
# Leitong @VERSION@ for Linux, all of it in this file. Installs for the user who runs it; needs no
# Python and no administrator. Run again it updates; `--remove` takes it away, and not your checks.
set -eu
data=${XDG_DATA_HOME:-"$HOME/.local/share"}
place=$data/leitong-program
bin=$HOME/.local/bin
icons=$data/icons/hicolor/scalable/apps

tell_desktop() { # menus and types of files; where these programs are missing there is no menu
    for pair in update-desktop-database:applications update-mime-database:mime; do
        command -v "${pair%%:*}" >/dev/null && "${pair%%:*}" "$data/${pair#*:}" >/dev/null 2>&1 || :
    done
}

state=${XDG_STATE_HOME:-"$HOME/.local/state"}/leitong
cache=${XDG_CACHE_HOME:-"$HOME/.cache"}/leitong
lock=${LEITONG_STATE:-$state}/app/lock
if [ -e "$lock" ] && command -v flock >/dev/null && ! flock -n "$lock" true; then
    echo "Leitong is running. Close its window first. / 雷同正在运行，请先关掉窗口。" >&2
    exit 1
fi

if [ "${1:-}" = --remove ]; then
    case $(readlink "$bin/leitong" || :) in # ours only where it leads into the folder
    "$place"/*) rm -f "$bin/leitong" ;;
    esac
    rm -f "$data/applications/leitong.desktop" "$data/mime/packages/leitong.xml" "$icons/leitong.svg"
    # with what it makes for itself: word lists, log, the profile of the window; a folder that somebody
    # has named is left alone
    rm -rf "$place" "$place.new" "$cache" "$state"
    tell_desktop
    for folder in "$bin" "$data/applications" "$data/mime/packages" "$icons"; do
        rmdir "$folder" 2>/dev/null || : # where nothing else lies in it
    done
    echo "Removed. Your checks stay in $data/leitong. / 已卸载，检测结果还在 $data/leitong。"
    exit 0
fi

start=$(awk '/^__ARCHIVE__$/ { print NR + 1; exit }' "$0")
[ -n "$(tail -n "+$start" "$0" | head -c 1)" ] || { echo "usage: $0 --remove" >&2; exit 2; }
rm -rf "$place.new"
mkdir -p "$place.new" "$bin" "$data/applications" "$data/mime/packages" "$icons"
tail -n "+$start" "$0" | tar -xz -C "$place.new" --strip-components=1
rm -rf "$place"
mv "$place.new" "$place"
ln -sf "$place/leitong" "$bin/leitong"
sed "s|@PLACE@|$place|" "$place/install/leitong.desktop" >"$data/applications/leitong.desktop"
cp "$place/install/leitong.xml" "$data/mime/packages/leitong.xml"
cp "$place/_internal/pages/_ui/shared/brand/icon.svg" "$icons/leitong.svg"
tell_desktop
echo "Leitong @VERSION@: in the menu, and as $bin/leitong. / 雷同已装好：在菜单里，或运行 $bin/leitong。"
echo "To remove it / 卸载: sh $place/install/install.sh --remove"
exit 0
__ARCHIVE__
