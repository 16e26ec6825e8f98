//! The check that this processor can run this build.
//!
//! A build for a newer processor dies of an illegal instruction on an older one, without a word. The instruction sets
//! that the compiler was allowed to use are known when it compiles; what the processor has is asked of `cpuid` when the
//! program starts. The check must not use what it looks for, and the compiler may put those instructions into anything
//! that it compiles for this build, even into a library. So the check is written for the assembler, down to the message.
#![allow(unsafe_code)] // Assembly is the only code that the flags of the build leave alone; `.ci/processors` tries it.

#[cfg(target_arch = "x86_64")]
use std::arch::naked_asm;

/// The bits of an answer of `cpuid` that must be set: those of the named instruction sets that this build uses.
macro_rules! demanded {
    ($($feature:literal $bit:literal),+ $(,)?) => { 0 $(| (cfg!(target_feature = $feature) as u32) << $bit)+ };
}

/// Leaf 1, ecx. Bit 27: the system uses `xsave`, without which there is no AVX.
const LEAF_1_ECX: u32 = demanded!(
    "sse3" 0, "pclmulqdq" 1, "ssse3" 9, "fma" 12, "cmpxchg16b" 13, "sse4.1" 19, "sse4.2" 20, "movbe" 22, "popcnt" 23,
    "aes" 25, "avx" 27, "avx" 28, "f16c" 29,
);
/// Leaf 7, ebx.
const LEAF_7_EBX: u32 = demanded!(
    "bmi1" 3, "avx2" 5, "bmi2" 8, "avx512f" 16, "avx512dq" 17, "rdseed" 18, "adx" 19, "avx512ifma" 21, "avx512cd" 28,
    "sha" 29, "avx512bw" 30, "avx512vl" 31,
);
/// Leaf 7, ecx.
const LEAF_7_ECX: u32 = demanded!(
    "avx512vbmi" 1, "avx512vbmi2" 6, "gfni" 8, "vaes" 9, "vpclmulqdq" 10, "avx512vnni" 11, "avx512bitalg" 12,
    "avx512vpopcntdq" 14,
);
/// Leaf 0x80000001, ecx.
const LEAF_80000001_ECX: u32 = demanded!("lzcnt" 5, "sse4a" 6, "tbm" 21);
/// The registers that the system must keep for every program: those of AVX, and those of AVX-512.
const SAVED_REGISTERS: u32 = demanded!("avx" 1, "avx" 2, "avx512f" 5, "avx512f" 6, "avx512f" 7);
/// The highest leaf that is asked, apart from the extended ones.
const HIGHEST_LEAF: u32 = if LEAF_7_EBX | LEAF_7_ECX == 0 { 1 } else { 7 };

/// Says what is missing and which file to take instead.
const REFUSAL: &str = if cfg!(target_feature = "avx512f") {
    "juzhong: this build needs a processor with AVX-512; the program juzhong-avx2 of the release runs on others\n"
} else if cfg!(target_feature = "avx2") {
    "juzhong: this build needs a processor with AVX2 and BMI2, as made since 2013 to 2015; \
     the program juzhong-sse41-popcnt of the release runs on older ones\n"
} else {
    "juzhong: this build needs a processor with SSE4.1 and POPCNT, as made since 2008; \
     for older ones it has to be built from its source with `make build CPU=x86-64`\n"
};

/// Runs before `main` and before the start of Rust's library, which may be compiled for this processor too.
#[cfg(target_arch = "x86_64")]
#[used]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCB"))]
#[cfg_attr(not(any(target_os = "macos", windows)), unsafe(link_section = ".init_array.00000"))]
static CHECK_PROCESSOR: unsafe extern "C" fn() = require;

/// Ends the program with one line on standard error and status 2 if the processor, or for AVX the operating system,
/// lacks an instruction set that this build uses.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn require() {
    naked_asm!(
        "push rbx",
        "xor eax, eax",
        "cpuid",
        "cmp eax, {highest}",
        "jb 3f",
        "mov eax, 1",
        "cpuid",
        "and ecx, {leaf_1_ecx}",
        "cmp ecx, {leaf_1_ecx}",
        "jne 3f",
        "mov eax, {saved}",
        "test eax, eax",
        "jz 2f",
        "xor ecx, ecx",
        "xgetbv",
        "and eax, {saved}",
        "cmp eax, {saved}",
        "jne 3f",
        "2:",
        "mov eax, 7",
        "xor ecx, ecx",
        "cpuid",
        "and ebx, {leaf_7_ebx}",
        "cmp ebx, {leaf_7_ebx}",
        "jne 3f",
        "and ecx, {leaf_7_ecx}",
        "cmp ecx, {leaf_7_ecx}",
        "jne 3f",
        "mov eax, 0x80000001",
        "cpuid",
        "and ecx, {leaf_80000001_ecx}",
        "cmp ecx, {leaf_80000001_ecx}",
        "jne 3f",
        "pop rbx",
        "ret",
        "3:",
        // With the return address and rbx on it, the stack is aligned as a call wants it.
        "jmp {refuse}",
        highest = const HIGHEST_LEAF,
        leaf_1_ecx = const LEAF_1_ECX as i32,
        leaf_7_ebx = const LEAF_7_EBX as i32,
        leaf_7_ecx = const LEAF_7_ECX as i32,
        leaf_80000001_ecx = const LEAF_80000001_ECX as i32,
        saved = const SAVED_REGISTERS as i32,
        refuse = sym refuse,
    )
}

/// Writes [`REFUSAL`] and ends the program, by the C library.
#[cfg(all(target_arch = "x86_64", not(windows)))]
#[unsafe(naked)]
unsafe extern "C" fn refuse() {
    unsafe extern "C" {
        fn write(file: i32, text: *const u8, length: usize) -> isize;
        fn _exit(status: i32) -> !;
    }
    naked_asm!(
        "mov edi, 2",
        "lea rsi, [rip + {text}]",
        "mov edx, {length}",
        "call {write}",
        "mov edi, 2",
        "call {exit}",
        "ud2",
        text = sym TEXT,
        length = const REFUSAL.len(),
        write = sym write,
        exit = sym _exit,
    )
}

/// Writes [`REFUSAL`] and ends the program, by the system.
#[cfg(all(target_arch = "x86_64", windows))]
#[unsafe(naked)]
unsafe extern "C" fn refuse() {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetStdHandle(number: u32) -> *mut u8;
        fn WriteFile(file: *mut u8, text: *const u8, length: u32, written: *mut u32, at: *mut u8) -> i32;
        fn ExitProcess(status: u32) -> !;
    }
    naked_asm!(
        // Room for the four arguments in registers, the fifth, and the count of what is written.
        "sub rsp, 48",
        "mov ecx, -12",
        "call {handle}",
        "mov rcx, rax",
        "lea rdx, [rip + {text}]",
        "mov r8d, {length}",
        "lea r9, [rsp + 40]",
        "mov qword ptr [rsp + 32], 0",
        "call {write}",
        "mov ecx, 2",
        "call {exit}",
        "ud2",
        handle = sym GetStdHandle,
        text = sym TEXT,
        length = const REFUSAL.len(),
        write = sym WriteFile,
        exit = sym ExitProcess,
    )
}

/// [`REFUSAL`] as bytes with an address.
#[cfg(target_arch = "x86_64")]
static TEXT: [u8; REFUSAL.len()] = {
    let mut bytes = [0; REFUSAL.len()];
    bytes.copy_from_slice(REFUSAL.as_bytes());
    bytes
};
