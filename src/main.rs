//! Entry point.

fn main() {
    juzhong::cpu::require();
}
