#!/bin/sh
# Makes an image to flash: Debian for arm64 with the package, a boot partition for a Pi, a system that is never written.
# Needs root, mmdebstrap, qemu-user-static, sfdisk, e2fsprogs, dosfstools, mtools, cpio, kmod and xz; no loop device.
#   install/image/build.sh PACKAGE.deb TO [FOLDER]      FOLDER keeps what was downloaded; RELEASE=bookworm
# Prints version, digest and how long it took. REUSE=1 takes Debian's part from the build before.
set -eu
deb=$1
to=$2
folder=${3:-build/image}
release=${RELEASE:-bookworm}
here=$(cd "$(dirname "$0")" && pwd)
began=$(date +%s)
scratch=

say() { printf '[%4d s] %s\n' "$(($(date +%s) - began))" "$*"; }
fail() { printf 'image: %s\n  %s\n' "$1" "$2" >&2; exit 1; }
lines() { sed -e '/^#/d' -e '/^$/d' "$1"; }
end() {
    [ -z "$scratch" ] || {
        umount "$scratch/root/proc" 2>/dev/null || true
        rm -rf "$scratch"
    }
}
trap end EXIT
trap 'exit 1' HUP INT TERM

[ "$(id -u)" = 0 ] || fail "a system is made here with its own users" "Run it as root."
for tool in mmdebstrap sfdisk mke2fs mkfs.vfat mcopy cpio depmod xz dpkg-deb; do
    command -v "$tool" >/dev/null ||
        fail "$tool is missing" "apt install mmdebstrap qemu-user-static binfmt-support fdisk e2fsprogs dosfstools mtools cpio kmod xz-utils"
done
if [ "$(uname -m)" != aarch64 ]; then
    [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc 2>/dev/null || true
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64 2>/dev/null || true
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] ||
        fail "this kernel cannot run arm64 programs" "apt install qemu-user-static binfmt-support, as root of the machine itself"
fi
[ "$(dpkg-deb --field "$deb" Architecture)" = arm64 ] || fail "$deb is not for arm64" "Build it: make deb"
version=$(dpkg-deb --field "$deb" Version)
mkdir -p "$to" "$folder/packages"
folder=$(cd "$folder" && pwd)
scratch=$(mktemp -d "$folder/making.XXXXXX")
root=$scratch/root
boot=$scratch/boot
mkdir "$root" "$boot"

# --- Debian -----------------------------------------------------------------------------------------

debian() { # what every image of this release has; the packages are kept for the next time
    "$here/sources.sh" "$release" >"$folder/sources"
    cat >"$scratch/fetch" <<F
#!/bin/sh
set -eu
export APT_CONFIG="\$MMDEBSTRAP_APT_CONFIG"
cp -n "\$1"/var/cache/apt/archives/*.deb "$folder/packages/"
cd "$folder/packages"
kernel=\$(apt-cache depends linux-image-arm64 | sed -n 's/.*Depends: //p' | head -n 1)
for name in "\$kernel" raspi-firmware; do
    apt-cache show --no-all-versions "\$name" | sed -n 's/^Version: //p' | sed 's/.*://' | { read -r number
        set -- "\$name"_"\$number"_*.deb
        [ -e "\$1" ] || apt-get download -q "\$name"
        ls "\$name"_"\$number"_*.deb; }
done >"$folder/extra.new"
mv "$folder/extra.new" "$folder/extra"
F
    chmod 755 "$scratch/fetch"
    mmdebstrap --mode=root --arch=arm64 --variant=apt --include="$(lines "$here/packages" | paste -sd,)" \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/info/*' --aptopt='Acquire::Languages "none"' --skip=essential/unlink \
        --setup-hook='mkdir -p "$1/var/cache/apt/archives"' \
        --setup-hook="cp -n '$folder/packages/'*.deb \"\$1/var/cache/apt/archives/\" 2>/dev/null || true" \
        --customize-hook="$scratch/fetch" "$release" "$scratch/base.tar" "$folder/sources" >"$folder/debian.log" 2>&1 ||
        fail "Debian's part cannot be made: $(grep '^E:' "$folder/debian.log" | tail -n 1)" "See $folder/debian.log; a Debian mirror must be reachable."
    mv "$scratch/base.tar" "$folder/base.tar"
}

if [ -z "${REUSE:-}" ] || [ ! -e "$folder/base.tar" ] || [ ! -e "$folder/extra" ]; then
    say "Debian $release for arm64, from where this machine's apt takes it"
    debian
fi
say "unpacking it, with the kernel and the firmware of a Pi"
tar -xf "$folder/base.tar" -C "$root" --numeric-owner --xattrs --xattrs-include='*'
mkdir -p "$scratch/extra"
for one in $(cat "$folder/extra"); do dpkg-deb -x "$folder/packages/$one" "$scratch/extra"; done
kernel=$(ls "$scratch/extra/lib/modules")
# Neither is told to dpkg: kernel, modules and boot partition are of one piece and change with the image alone.
mkdir -p "$root/usr/lib/modules" "$root/usr/lib/firmware"
cp -a "$scratch/extra/lib/modules/." "$root/usr/lib/modules/"
cp -a "$scratch/extra/lib/firmware/." "$root/usr/lib/firmware/"
rm -rf "$root/usr/lib/modules/$kernel/kernel/sound" "$root/usr/lib/modules/$kernel/kernel/drivers/media" \
    "$root/usr/lib/modules/$kernel/kernel/drivers/infiniband" "$root/usr/lib/modules/$kernel/kernel/drivers/gpu/drm/amd" \
    "$root/usr/lib/modules/$kernel/kernel/drivers/gpu/drm/nouveau" "$root/usr/lib/modules/$kernel/kernel/drivers/gpu/drm/radeon"
depmod -b "$root" "$kernel"

# --- the table --------------------------------------------------------------------------------------

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

say "installing tablectl $version"
cp -a "$here/root/." "$root/"
chown -R 0:0 "$root/etc/systemd" "$root/etc/ssh" "$root/usr/lib/tablectl-image" "$root/etc/fstab" "$root/etc/modules-load.d"
cp "$deb" "$root/tmp/tablectl.deb"
mount -t proc proc "$root/proc"
inside dpkg --install /tmp/tablectl.deb >"$folder/table.log" 2>&1 ||
    fail "the package cannot be installed: $(tail -n 1 "$folder/table.log")" "See $folder/table.log."
inside systemctl enable --quiet ssh.service systemd-networkd.service systemd-resolved.service systemd-timesyncd.service \
    systemd-time-wait-sync.service tablectl-first-setup.service >>"$folder/table.log" 2>&1
inside systemctl mask --quiet getty@.service serial-getty@.service console-getty.service container-getty@.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer >>"$folder/table.log" 2>&1
inside usermod --lock root
umount "$root/proc"
# Until it is set up, the table's file is the example's, and nothing starts with it.
touch "$root/etc/tablectl/not-set-up"
mkdir -p "$root/boot/firmware" "$root/var/log/journal"
rm -rf "$root/tmp/tablectl.deb" "$root/etc/ssh/"ssh_host_* "$root/var/cache/apt/archives/"*.deb "$root/var/lib/apt/lists/"* \
    "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d/"* "$root/var/log/"*.log "$root/var/log/apt"
: >"$root/etc/machine-id"
ln -sfn /run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
echo table >"$root/etc/hostname"
printf '127.0.0.1\tlocalhost\n127.0.1.1\ttable\n::1\tlocalhost\n' >"$root/etc/hosts"
printf 'IMAGE_ID=tablectl\nIMAGE_VERSION=%s\n' "$version" >>"$root/usr/lib/os-release"
{
    chroot "$root" dpkg-query --show --showformat '${Package} ${Version}\n'
    for one in $(cat "$folder/extra"); do echo "${one%.deb}" | tr _ ' ' | cut -d' ' -f1,2; done
} | sort >"$root/usr/lib/tablectl-image/packages"

# --- the first partition ----------------------------------------------------------------------------

say "the boot partition"
small=$scratch/initrd
mkdir -p "$small/bin" "$small/lib/modules/$kernel"
cp "$root/bin/busybox" "$small/bin/busybox"
ln -s busybox "$small/bin/sh"
cp "$here/init" "$small/init"
lines "$here/modules" >"$small/modules"
for module in $(cat "$small/modules"); do
    modprobe -d "$root" -S "$kernel" --show-depends "$module" >"$scratch/needs" 2>/dev/null ||
        fail "the kernel $kernel has no module $module" "Correct install/image/modules."
    while read -r what path _; do
        [ "$what" = insmod ] || continue
        mkdir -p "$small$(dirname "${path#"$root"}")"
        cp "$path" "$small${path#"$root"}"
    done <"$scratch/needs"
done
if [ -d "$small/usr/lib/modules" ]; then cp -a "$small/usr/lib/modules/." "$small/lib/modules/" && rm -rf "$small/usr"; fi
for list in builtin builtin.modinfo order; do cp "$root/usr/lib/modules/$kernel/modules.$list" "$small/lib/modules/$kernel/"; done
depmod -b "$small" "$kernel"
(cd "$small" && find . -print0 | sort -z | cpio --null --create --format=newc --quiet --owner=0:0 | gzip -9n) >"$boot/initrd.img"
cp "$scratch/extra/boot/vmlinuz-$kernel" "$boot/vmlinuz"
cp "$scratch/extra/usr/lib/raspi-firmware/"* "$boot/"
cp "$scratch/extra/usr/lib/linux-image-$kernel/broadcom/"bcm27*.dtb "$scratch/extra/usr/lib/linux-image-$kernel/broadcom/"bcm28*.dtb "$boot/"
cp "$here/boot/config.txt" "$here/boot/cmdline.txt" "$boot/"
for name in $(lines "$here/boot/files"); do
    [ -s "$boot/$name" ] || fail "the boot partition lacks $name" "See which version of raspi-firmware and of the kernel $release has."
done
for tree in "$boot"/*.dtb; do # as the kernel would refuse it
    [ "$(head -c 4 "$tree" | od -An -tx1 | tr -d ' \n')" = d00dfeed ] || fail "$tree is no device tree" "Fetch the kernel again."
done

# --- the card ---------------------------------------------------------------------------------------

say "the card"
image=$scratch/table.img
used=$(du -sxk "$root" | cut -f1)
sectors=$(((used * 2 * 5 / 4 / 131072 + 1) * 131072)) # a quarter more than it takes, in steps of 64 MB
data=$((532480 + sectors))
truncate -s "$(((data + 524288 + 2048) * 512))" "$image"
sed -e "s/@ROOT@/$sectors/" -e "s/@DATA@/$data/" "$here/layout" | sfdisk --quiet "$image"
mkfs.vfat -F 32 -s 1 -n TABLEBOOT -C "$scratch/boot.img" 262144 >/dev/null
mcopy -i "$scratch/boot.img" "$boot"/* ::
dd if="$scratch/boot.img" of="$image" bs=1M seek=4 conv=notrunc,sparse status=none
mke2fs -q -t ext4 -b 4096 -O ^has_journal -L tablectl-root -m 0 -d "$root" -E "offset=$((532480 * 512))" "$image" "$((sectors / 8))"
mke2fs -q -t ext4 -b 4096 -L tablectl-data -m 1 -i 16384 -J size=16 -E "offset=$((data * 512)),lazy_itable_init=0,lazy_journal_init=0" "$image" 65536
name=tablectl-$version.img
say "compressing $((($(stat -c %s "$image") + 1048575) / 1048576)) MB"
xz -T2 -1 --keep --stdout "$image" >"$to/$name.xz.new"
mv "$to/$name.xz.new" "$to/$name.xz"
mv "$image" "$folder/table.img"
cp "$root/usr/lib/tablectl-image/packages" "$to/$name.packages"
(cd "$to" && sha256sum "$name.xz" >"$name.xz.sha256")
say "version $version, kernel $kernel, $(($(stat -c %s "$to/$name.xz") / 1048576)) MB: $to/$name.xz"
say "device trees: $(cd "$boot" && ls *.dtb | paste -sd' ')"
say "sha256 $(cut -d' ' -f1 "$to/$name.xz.sha256")"
