# To be sourced with the path of touchd: lets the services that may execute only programs and the system's libraries use the
# libraries of Swift. A program of `make build` needs none.
runtime=$(ldd "$1" | sed -n 's|.* => \(/.*\)/libswiftCore\.so .*|\1|p')
if [[ $runtime ]]; then
    for unit in touchd-network touchd-network@ touchd-day touchd-day-send; do
        install -d /etc/systemd/system/$unit.service.d
        printf '[Service]\nExecPaths=%s\n' "$runtime" >/etc/systemd/system/$unit.service.d/runtime.conf
    done
fi
