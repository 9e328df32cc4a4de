//! Operators of arithmetic, conversions, comparisons and atomics, with LLVM's words for them.

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $word:literal $variant_doc:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = $variant_doc] $variant,)*
        }

        impl $name {
            /// The operator with this name in LLVM's text.
            pub fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The operator's name in LLVM's text.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    };
}

words! {
    /// Arithmetic with two operands.
    Binary {
        Add "add" "Sum.",
        Sub "sub" "Difference.",
        Mul "mul" "Product.",
        UDiv "udiv" "Quotient, unsigned.",
        SDiv "sdiv" "Quotient, signed, towards 0.",
        URem "urem" "Remainder, unsigned.",
        SRem "srem" "Remainder, with the dividend's sign.",
        Shl "shl" "Shift to the left.",
        LShr "lshr" "Shift to the right, zeros from the left.",
        AShr "ashr" "Shift to the right, the sign from the left.",
        And "and" "Bits of both.",
        Or "or" "Bits of either.",
        Xor "xor" "Bits of one alone.",
        FAdd "fadd" "Sum of floating-point numbers.",
        FSub "fsub" "Difference of floating-point numbers.",
        FMul "fmul" "Product of floating-point numbers.",
        FDiv "fdiv" "Quotient of floating-point numbers.",
        FRem "frem" "Remainder of floating-point numbers.",
    }
}

words! {
    /// Conversions of a number or an address.
    Cast {
        Trunc "trunc" "To fewer bits.",
        ZExt "zext" "To more bits: zeros.",
        SExt "sext" "To more bits: the sign.",
        FpTrunc "fptrunc" "To a smaller floating-point type.",
        FpExt "fpext" "To a larger floating-point type.",
        FpToUi "fptoui" "To an unsigned number.",
        FpToSi "fptosi" "To a signed number.",
        UiToFp "uitofp" "From an unsigned number.",
        SiToFp "sitofp" "From a signed number.",
        PtrToInt "ptrtoint" "An address as a number.",
        IntToPtr "inttoptr" "A number as an address.",
        BitCast "bitcast" "The same bits.",
        AddressSpace "addrspacecast" "To another address space.",
    }
}

words! {
    /// Comparisons of whole numbers.
    IntegerPredicate {
        Equal "eq" "Equal.",
        NotEqual "ne" "Not equal.",
        UnsignedAbove "ugt" "Above, unsigned.",
        UnsignedAtLeast "uge" "At least, unsigned.",
        UnsignedBelow "ult" "Below, unsigned.",
        UnsignedAtMost "ule" "At most, unsigned.",
        Above "sgt" "Above.",
        AtLeast "sge" "At least.",
        Below "slt" "Below.",
        AtMost "sle" "At most.",
    }
}

words! {
    /// Comparisons of floating-point numbers: ordered ones are false for NaN, unordered ones true.
    FloatPredicate {
        Never "false" "Never.",
        OrderedEqual "oeq" "Equal.",
        OrderedAbove "ogt" "Above.",
        OrderedAtLeast "oge" "At least.",
        OrderedBelow "olt" "Below.",
        OrderedAtMost "ole" "At most.",
        OrderedNotEqual "one" "Not equal.",
        Ordered "ord" "Neither is NaN.",
        UnorderedEqual "ueq" "Equal, or NaN.",
        UnorderedAbove "ugt" "Above, or NaN.",
        UnorderedAtLeast "uge" "At least, or NaN.",
        UnorderedBelow "ult" "Below, or NaN.",
        UnorderedAtMost "ule" "At most, or NaN.",
        UnorderedNotEqual "une" "Not equal, or NaN.",
        Unordered "uno" "Either is NaN.",
        Always "true" "Always.",
    }
}

words! {
    /// Atomic operations on memory.
    AtomicOp {
        Exchange "xchg" "The new value.",
        Add "add" "Sum.",
        Sub "sub" "Difference.",
        And "and" "Bits of both.",
        Nand "nand" "Not the bits of both.",
        Or "or" "Bits of either.",
        Xor "xor" "Bits of one alone.",
        Max "max" "The larger.",
        Min "min" "The smaller.",
        UMax "umax" "The larger, unsigned.",
        UMin "umin" "The smaller, unsigned.",
        FAdd "fadd" "Sum of floating-point numbers.",
    }
}
