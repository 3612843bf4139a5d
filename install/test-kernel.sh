#!/bin/sh
# Boots Debian's kernel and systemd in QEMU, with the bundle installed as on a Pi, and gives the table a chip mat over USB/IP:
# a true USB device for that kernel. Needs root, debootstrap, qemu-system-x86, cpio, kmod and a Debian mirror.
#   install/test-kernel.sh BUNDLE.tar.gz TABLECTL [FOLDER]      FOLDER keeps what was downloaded; ACCEL=kvm where that works
set -eu
bundle=$1
tablectl=$2
folder=${3:-build/kernel}
here=$(cd "$(dirname "$0")" && pwd)
began=$(date +%s)
simulator=
wheel=

say() { printf '[%4d s] %s\n' "$(($(date +%s) - began))" "$*"; }
fail() { printf 'test-kernel: %s\n  %s\n' "$1" "$2" >&2; exit 1; }
end() { for one in $simulator $wheel; do kill "$one" 2>/dev/null || true; done; }
trap end EXIT

[ "$(id -u)" = 0 ] || fail "this makes a root of its own" "Run it as root."
[ "$(uname -m)" = x86_64 ] || fail "this boots an x86-64 kernel" "Run it on a PC."
for tool in debootstrap qemu-system-x86_64 cpio depmod apt-get; do
    command -v "$tool" >/dev/null ||
        fail "$tool is missing" "apt install debootstrap qemu-system-x86 cpio kmod"
done
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

if [ ! -e "$folder/base/.whole" ]; then
    say "making a root of Debian 12 (minutes, once)"
    rm -rf "$folder/base"
    debootstrap --variant=minbase --include=python3,libusb-1.0-0,systemd-sysv,udev,kmod,iproute2,dbus \
        bookworm "$folder/base" "$("$here/mirror.sh")" >"$folder/base.log" 2>&1 ||
        fail "debootstrap failed: $(tail -n 1 "$folder/base.log")" "See $folder/base.log."
    touch "$folder/base/.whole"
fi
if [ ! -e "$folder/kernel/.whole" ]; then
    say "fetching Debian's kernel"
    rm -rf "$folder/kernel"
    mkdir -p "$folder/kernel"
    package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
    [ -n "$package" ] || fail "this machine knows no linux-image-amd64" "Run it on Debian, after apt update."
    (cd "$folder/kernel" && apt-get download -q "$package" >/dev/null 2>&1 && dpkg-deb -x "$package"_*.deb .) ||
        fail "the kernel cannot be fetched" "Run apt update."
    depmod -b "$folder/kernel" "$(ls "$folder/kernel/lib/modules")"
    touch "$folder/kernel/.whole"
fi
version=$(ls "$folder/kernel/lib/modules")

say "installing the bundle"
root=$folder/root
umount "$root/proc" 2>/dev/null || true
rm -rf "$root"
cp -a "$folder/base" "$root"
rm -rf "$root/usr/share/doc" "$root/usr/share/locale" "$root/usr/share/man" "$root/var/cache/apt" "$root/var/lib/apt/lists"
mkdir -p "$root/tmp/bundle"
tar -xzf "$bundle" -C "$root/tmp/bundle" --strip-components 1
mount -t proc proc "$root/proc"
chroot "$root" sh /tmp/bundle/install.sh >/dev/null
umount "$root/proc"
rm -rf "$root/tmp/bundle"
for module in e1000 usbserial cdc_acm hid vhci-hcd; do
    modprobe -d "$folder/kernel" -S "$version" --show-depends "$module" | while read -r _ path; do
        name=${path#"$folder/kernel"}
        mkdir -p "$root$(dirname "$name")"
        cp "$path" "$root$name"
    done
done
cp "$folder/kernel/lib/modules/$version/modules.builtin" "$folder/kernel/lib/modules/$version/modules.order" \
    "$folder/kernel/lib/modules/$version/modules.builtin.modinfo" "$root/lib/modules/$version/"
depmod -b "$root" "$version"
# The machine outside is 10.0.2.2 in there, and the wheel hangs on it; the chip mat comes over USB/IP.
wheel_port=$(python3 -c 'import socket; line = socket.socket(); line.bind(("127.0.0.1", 0)); print(line.getsockname()[1])')
sed -i -e "s|^port = \"/dev/.*|port = \"tcp://10.0.2.2:$wheel_port\"|" -e 's|^serial = "CM-0001"|serial = "SIM-CHIPS"|' \
    "$root/etc/tablectl/table.toml"
chroot "$root" /opt/tablectl/current/bin/python -P -s -m controller.pi.install.network --config /etc/tablectl/table.toml \
    >"$root/etc/systemd/system/tablectl.service.d/network.conf"
cp "$here/kernel-guest.py" "$root/usr/local/sbin/kernel-guest.py"
cat >"$root/etc/systemd/system/kernel-guest.service" <<'U'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/usr/bin/python3 -u /usr/local/sbin/kernel-guest.py
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
[Install]
WantedBy=multi-user.target
U
chroot "$root" systemctl enable --quiet kernel-guest.service
chroot "$root" systemctl mask --quiet serial-getty@ttyS0.service getty@tty1.service
# A root that can be moved and made read-only in parts, as on a disk: copied out of the first one into memory.
cat >"$root/init" <<'I'
#!/bin/sh
mount -t tmpfs -o size=90% tmpfs /mnt
for name in bin etc home lib lib32 lib64 libx32 opt root sbin srv usr var; do
    [ ! -e "/$name" ] || cp -a "/$name" /mnt/
done
mkdir -p /mnt/proc /mnt/sys /mnt/dev /mnt/run /mnt/tmp /mnt/mnt /mnt/media
exec switch_root /mnt /sbin/init
I
chmod 755 "$root/init"
(cd "$root" && find . -xdev -print0 | cpio --null --create --format=newc --quiet) >"$folder/root.cpio"

say "serving the chip mat and the wheel"
"$tablectl" simulate wheel --port "tcp:127.0.0.1:$wheel_port" --serial WS-0001 --seed 7 --spin-every 20 >"$folder/wheel.log" 2>&1 &
wheel=$!
"$tablectl" simulate chips --port usbip:0 --serial SIM-CHIPS --seed 7 >"$folder/simulator.log" 2>&1 &
simulator=$!
port=
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    port=$(sed -n 's/^chips on usbip:.*:\([0-9]*\)$/\1/p' "$folder/simulator.log")
    [ -z "$port" ] || break
    sleep 0.5
done
[ -n "$port" ] || fail "the simulator does not start: $(tail -n 1 "$folder/simulator.log")" "See $folder/simulator.log."

accel=${ACCEL:-tcg}
say "booting Linux $version ($accel)"
timeout "${DEADLINE:-600}" qemu-system-x86_64 -accel "$accel" -m 2048 -smp 2 -nographic -no-reboot -nic user,model=e1000 \
    -kernel "$folder/kernel/boot/vmlinuz-$version" -initrd "$folder/root.cpio" \
    -append "console=ttyS0 panic=-1 no_timer_check quiet systemd.show_status=0 usbip.port=$port" </dev/null >"$folder/console.log" 2>&1 ||
    fail "the machine did not end in time" "See $folder/console.log."
grep -a '^TEST:' "$folder/console.log" | tr -d '\r' || true
grep -aq '^TEST: all is well' "$folder/console.log" || fail "the test failed" "See $folder/console.log."
say "kernel: attached, played, unplugged, came back"
