//! The check of the processor alone, which `.ci/processors` compiles for processors that this machine is not.

#[path = "../src/cpu.rs"]
mod cpu;

fn main() {
    println!("runs");
}
