# prepare.sh - what ./quickstart and ./quicktest share; they read it with ".".
#
#	steps=5					how many there will be
#	step "Building" make -j2		a line of progress, then the command
#	need_packages gcc make			a step too: installs what is missing
#	build					steps: configure and make, in $build
#
# What a step prints goes to $log.  A step that fails shows the end of it and
# calls give_up, which the caller may have replaced.

top=$(pwd)
build=$top/build-quick
log=$build/steps.log
step_number=0
jobs=$(nproc 2>/dev/null || echo 1)

build_packages="autoconf automake libtool make gcc g++ g++-12
	gcc-12-plugin-dev libglpk-dev libelf-dev libdw-dev libzydis-dev
	libzstd-dev liblinear-dev"

give_up() {
	echo "$@" >&2
	exit 1
}

announce() {
	step_number=$((step_number + 1))
	printf '[%d/%d] %s' $step_number $steps "$1"
}

step() {
	announce "$1 ..."
	shift
	step_start=$(date +%s)
	echo "== $*" >>"$log"
	if "$@" </dev/null >>"$log" 2>&1; then
		echo " $(($(date +%s) - step_start)) s"
		return
	fi
	echo " failed; the end of $log:"
	tail -n 25 "$log" | sed 's/^/    /'
	give_up "$(basename "$0"): \"$*\" failed"
}

missing_packages() {
	for package; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
			grep -q 'ok installed' || printf ' %s' "$package"
	done
}

# The mirror of a distribution may be slow or busy for a moment.
apt() {
	for pause in 5 20 60; do
		apt-get -q -y -o Acquire::Retries=3 \
			-o DPkg::Lock::Timeout=300 "$@" && return
		echo "apt-get $1 failed, again in $pause s"
		sleep $pause
	done
	return 1
}

# A source list that does not answer may be one that we do not need, so that
# only the installation decides.
install_packages() {
	apt update || echo "going on with the lists that are there"
	apt install --no-install-recommends "$@"
}

need_packages() {
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null
	then
		announce "No Debian: configure will name what is missing"
		echo
		return
	fi
	missing=$(missing_packages "$@")
	if test -z "$missing"; then
		announce "All packages are installed"
		echo
	elif test "$(id -u)" != 0; then
		announce "Packages are missing"
		echo
		give_up "As root:  apt-get install$missing"
	else
		export DEBIAN_FRONTEND=noninteractive
		step "Installing $(echo $missing | wc -w) packages" \
			install_packages $missing
	fi
}

in_build() {
	(cd "$build" && "$@")
}

# Libtool's files and configure are not in git, and a release has them.
bootstrap() {
	test -x configure || autoreconf -fi
}

configure() {
	in_build ../configure --prefix="$build/install"
}

build() {
	step "Preparing configure" bootstrap
	step "Configuring in $(basename "$build")/" configure
	step "Building" in_build make -j"$jobs"
}

mkdir -p "$build" && : >"$log" || exit 1
