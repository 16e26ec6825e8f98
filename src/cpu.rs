//! The check that this processor can run this build.
//!
//! A build for a newer processor dies of an illegal instruction on an older one, without a word. The instruction
//! sets the compiler was allowed to use are known when it compiles; what the processor has is asked of `cpuid`
//! when the program starts. The standard library's own macro cannot be used for that: it answers "yes" without
//! asking for every set that the build allows.

/// Ends the program with one line on standard error and status 2 if the processor lacks an instruction set that
/// this build uses. Call it before `main`: link-time optimisation inlines the start of Rust's runtime into the
/// program's entry, so that it too may need them.
#[inline(never)]
pub fn require() {
    #[cfg(target_arch = "x86_64")]
    if let Some(feature) = x86::missing(&raw_cpuid::CpuId::new()) {
        refuse(feature);
    }
}

/// Says which instruction set is missing, and how to build without it.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
#[allow(clippy::print_stderr)] // There is no protocol yet, and no other way to be heard.
fn refuse(feature: &str) -> ! {
    eprintln!(
        "juzhong: this build needs a processor with {feature}; `make build CPU=x86-64` makes one for every processor"
    );
    std::process::exit(2)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use raw_cpuid::{CpuId, CpuIdReader};

    /// Looks up each named instruction set that this build uses in a leaf of `cpuid`; leaves the function at
    /// the first one missing. Sets the build does not use cost nothing: the condition is a constant.
    macro_rules! demand {
        ($leaf:expr; $($feature:literal $has:ident),+ $(,)?) => {{
            let leaf = $leaf;
            $(if cfg!(target_feature = $feature) && !leaf.as_ref().is_some_and(|leaf| leaf.$has()) {
                return Some($feature);
            })+
        }};
    }

    /// The first instruction set this build uses that the processor, or for AVX the operating system, lacks.
    pub(super) fn missing<R: CpuIdReader>(cpu: &CpuId<R>) -> Option<&'static str> {
        demand!(cpu.get_extended_feature_info();
            "avx2" has_avx2, "bmi1" has_bmi1, "bmi2" has_bmi2, "adx" has_adx, "gfni" has_gfni, "vaes" has_vaes,
            "vpclmulqdq" has_vpclmulqdq, "avx512f" has_avx512f, "avx512bw" has_avx512bw, "avx512cd" has_avx512cd,
            "avx512dq" has_avx512dq, "avx512vl" has_avx512vl, "avx512vbmi" has_avx512vbmi,
            "avx512vbmi2" has_avx512vbmi2, "avx512vnni" has_avx512vnni, "avx512bitalg" has_avx512bitalg,
            "avx512vpopcntdq" has_avx512vpopcntdq,
        );
        demand!(cpu.get_feature_info();
            "sse3" has_sse3, "ssse3" has_ssse3, "sse4.1" has_sse41, "sse4.2" has_sse42,
            "cmpxchg16b" has_cmpxchg16b, "popcnt" has_popcnt, "movbe" has_movbe, "f16c" has_f16c, "fma" has_fma,
            "avx" has_avx, "avx" has_oxsave, "aes" has_aesni, "pclmulqdq" has_pclmulqdq,
        );
        demand!(cpu.get_extended_processor_and_feature_identifiers(); "lzcnt" has_lzcnt);
        None
    }

    #[cfg(test)]
    mod tests {
        use super::missing;
        use raw_cpuid::{CpuId, CpuIdResult, cpuid};

        /// What this processor would say if it had no AVX2, BMI1 and BMI2 (leaf 7).
        fn without_leaf_7(leaf: u32, subleaf: u32) -> CpuIdResult {
            if leaf == 7 { CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 } } else { cpuid!(leaf, subleaf) }
        }

        /// What it would say under an operating system that does not save the AVX registers.
        fn without_osxsave(leaf: u32, subleaf: u32) -> CpuIdResult {
            let mut answer = cpuid!(leaf, subleaf);
            if leaf == 1 {
                answer.ecx &= !(1 << 27);
            }
            answer
        }

        #[test]
        fn the_processor_that_runs_the_tests_will_do() {
            assert_eq!(missing(&CpuId::new()), None);
        }

        #[test]
        fn what_the_build_uses_and_the_processor_lacks_is_named() {
            let avx2 = cfg!(target_feature = "avx2").then_some("avx2");
            assert_eq!(missing(&CpuId::with_cpuid_reader(without_leaf_7)), avx2);
            let avx = cfg!(target_feature = "avx").then_some("avx");
            assert_eq!(missing(&CpuId::with_cpuid_reader(without_osxsave)), avx);
        }
    }
}
