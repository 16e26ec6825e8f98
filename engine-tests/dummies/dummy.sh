#!/bin/sh
# An UCCI engine that moves its left rook to and fro, and misbehaves at its second move as its first argument says.
# Further arguments are ignored: a test marks its processes with one.
mode=$1
played=0
pondering=
boldness=50

# The move of the ply with this number.
word() {
    case $(($1 % 2)),$(($1 / 2 % 2)) in
        0,0) echo a0a1 ;;
        1,0) echo a9a8 ;;
        0,1) echo a1a0 ;;
        1,1) echo a8a9 ;;
    esac
}

answer() {
    case $mode in
        ponder-hit) echo "$1$(word $played) ponder $(word $((played + 1)))$2" ;;
        ponder-miss) [ $((played % 2)) = 0 ] && other=i9i8 || other=i0i1; echo "$1$(word $played) ponder $other$2" ;;
        *) echo "$1$(word $played)$2" ;;
    esac
}

misbehave() {
    case $mode in
        crash | crash-with-knobs) kill -SEGV $$ ;;
        fail) exit 3 ;;
        leave) exit 0 ;;
        hang) while :; do sleep 1; done ;;
        hang-with-child) sleep 1000 & wait ;;
        illegal) echo "bestmove a0a9" ;;
        unreadable) echo "bestmove rook" ;;
        none) echo "nobestmove" ;;
        late) sleep 0.4; answer "bestmove " ;;
        torn) printf 'bestmove a0'; kill -KILL $$ ;;
        resign-if-bold) [ "$boldness" -gt 50 ] && answer "bestmove " " resign" || answer "bestmove " ;;
        resign) answer "bestmove " " resign" ;;
        garbage) printf 'h\351llo\n\n\001\002 bestmove\ninfo depth x score y\nbestmov a0a1\n'; answer "bestmove " ;;
        capitals) answer "bestmove " | tr a-z A-Z ;;
        flood) yes "info string nothing to say" | head -n 50000; yes "rubbish" | head -n 50000; answer "bestmove " ;;
        draws) answer "bestmove " " draw" ;;
        *) answer "bestmove " ;;
    esac
}

[ "$mode" = mute ] && exec sleep 1000
while read -r line; do
    case $line in
        ucci)
            echo "id name dummy $mode"
            echo "option usemillisec type check default true"
            case $mode in
                *-if-bold | *-with-knobs)
                    echo "option bold_ness type spin min 0 max 100 default 50"
                    echo "option other_knob type spin min 0 max 10 default 7"
                    ;;
            esac
            echo "ucciok"
            ;;
        "setoption bold_ness "*) boldness=${line##* } ;;
        isready) echo "readyok" ;;
        position*)
            moves=${line#* moves}
            [ "$moves" = "$line" ] && moves=
            # shellcheck disable=SC2086 # the words are wanted
            set -- $moves
            played=$#
            ;;
        "go ponder"*) pondering=1 ;;
        ponderhit* | stop)
            if [ -n "$pondering" ]; then answer "bestmove "; fi
            pondering=
            ;;
        go*)
            echo "info depth 3 score 5 nodes 100 pv"
            if [ "$played" -ge 2 ]; then misbehave; else answer "bestmove "; fi
            ;;
        quit)
            [ "$mode" = stay ] && continue
            echo "bye"
            exit 0
            ;;
    esac
done
[ "$mode" = stay ] && exec sleep 1000
exit 0
