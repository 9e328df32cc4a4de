//! The numbers of a buffer, by their type.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use half::f16;

use super::{Base, Number};
use crate::threads::{PART, in_parts, sort};

/// Data of arguments that come before one, by name.
pub(crate) type Before<'a> = BTreeMap<&'a str, &'a Data>;

/// A component as a number, and its place among others.
trait Component {
    fn into_number(self) -> Option<Number>;

    /// A total order of the type's components, NaN too.
    fn order(&self, other: &Self) -> Ordering;
}

macro_rules! into_number {
    ($($type:ty)*) => {$(
        impl Component for $type {
            fn into_number(self) -> Option<Number> {
                i64::try_from(self).ok().map(Number::Whole)
            }

            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        }
    )*};
}

into_number!(i8 u8 i16 u16 i32 u32 i64 u64);

macro_rules! real_into_number {
    ($($type:ty)*) => {$(
        impl Component for $type {
            fn into_number(self) -> Option<Number> {
                Some(Number::Real(self.into()))
            }

            fn order(&self, other: &Self) -> Ordering {
                self.total_cmp(other)
            }
        }
    )*};
}

real_into_number!(f16 f32 f64);

/// A number as a component of a type that can hold it.
trait IntoComponent<T> {
    fn into_component(self) -> T;
}

macro_rules! into_component {
    ($($type:ty)*) => {$(
        impl IntoComponent<$type> for Number {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the fill's check says that it fits"
            )]
            fn into_component(self) -> $type {
                match self {
                    Self::Whole(whole) => whole as $type,
                    Self::Real(real) => real as $type,
                }
            }
        }
    )*};
}

into_component!(i8 u8 i16 u16 i32 u32 i64 u64 f32);

impl IntoComponent<f64> for Number {
    fn into_component(self) -> f64 {
        self.real()
    }
}

impl IntoComponent<f16> for Number {
    fn into_component(self) -> f16 {
        f16::from_f64(self.real())
    }
}

macro_rules! data {
    ($($variant:ident: $type:ty, $accessor:ident;)*) => {
        /// A buffer's components; vectors lie flat.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Data {
            $(
                #[doc = concat!("Components of type `", stringify!($type), "`.")]
                $variant(Vec<$type>),
            )*
        }

        impl Data {
            $(
                #[doc = concat!("The components.\n\n# Panics\nIf they are not `", stringify!($type), "`.")]
                #[track_caller]
                pub fn $accessor(&self) -> &[$type] {
                    match self {
                        Self::$variant(components) => components,
                        other => panic!("{} components are not {}", other.base(), stringify!($type)),
                    }
                }
            )*

            /// The components' type.
            pub fn base(&self) -> Base {
                match self {
                    $(Self::$variant(_) => Base::$variant,)*
                }
            }

            /// Number of components.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$variant(components) => components.len(),)*
                }
            }

            /// The components' bytes, in this machine's order.
            pub fn bytes(&self) -> &[u8] {
                match self {
                    $(Self::$variant(components) => bytemuck::cast_slice(components),)*
                }
            }

            /// The components' bytes, in this machine's order, to be written to.
            pub fn bytes_mut(&mut self) -> &mut [u8] {
                match self {
                    $(Self::$variant(components) => bytemuck::cast_slice_mut(components),)*
                }
            }

            /// Zeros to be written over: they cost little until somebody writes.
            pub fn zeros(base: Base, components: usize) -> Self {
                match base {
                    $(Base::$variant => Self::$variant(vec![<$type>::default(); components]),)*
                }
            }

            /// Components of type `base` from numbers, which the type must be able to hold. `numbers` gives those from
            /// a place on.
            pub(crate) fn generate<N, E: Send>(
                base: Base,
                components: usize,
                numbers: impl Fn(usize) -> N + Sync,
            ) -> Result<Self, E>
            where
                N: Iterator<Item = Result<Number, E>>,
            {
                Ok(match base {
                    $(Base::$variant => {
                        let mut all = vec![<$type>::default(); components];
                        if components <= PART {
                            for (component, number) in all.iter_mut().zip(numbers(0)) {
                                *component = number?.into_component();
                            }
                            return Ok(Self::$variant(all));
                        }
                        let parts: Vec<_> = all.chunks_mut(PART).map(|part| Mutex::new((part, Ok(())))).collect();
                        in_parts(parts.len(), &|index| {
                            let mut part = parts[index].lock().unwrap_or_else(PoisonError::into_inner);
                            let (components, outcome) = &mut *part;
                            let pairs = components.iter_mut().zip(numbers(index * PART));
                            for (component, number) in pairs {
                                match number {
                                    Ok(number) => *component = number.into_component(),
                                    Err(fault) => {
                                        *outcome = Err(fault);
                                        break;
                                    }
                                }
                            }
                        });
                        // Of several errors the first by place, on every machine.
                        for part in parts {
                            part.into_inner().unwrap_or_else(PoisonError::into_inner).1?;
                        }
                        Self::$variant(all)
                    })*
                })
            }

            /// The data with its elements sorted, each of `lanes` components, the least first.
            pub(crate) fn sorted(&self, lanes: usize) -> Self {
                match self {
                    $(Self::$variant(components) => {
                        let elements: Vec<&[$type]> = components.chunks(lanes).collect();
                        let order = sort(elements.len(), &|a, b| {
                            let pairs = elements[a].iter().zip(elements[b]);
                            let mut orders = pairs.map(|(a, b)| a.order(b));
                            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
                        });
                        let sorted: Vec<&[$type]> = order.into_iter().map(|place| elements[place]).collect();
                        Self::$variant(sorted.concat())
                    })*
                }
            }

            /// A component as a number; none where there are fewer, or for a `ulong` above 2⁶³.
            pub(crate) fn number(&self, index: usize) -> Option<Number> {
                match self {
                    $(Self::$variant(components) => components.get(index)?.into_number(),)*
                }
            }

            /// A component in words, and whether its bytes are all 0xFF.
            pub(crate) fn show(&self, index: usize) -> (String, bool) {
                match self {
                    $(Self::$variant(components) => {
                        let component = components[index];
                        let unwritten = bytemuck::bytes_of(&component).iter().all(|byte| *byte == 0xFF);
                        (format!("{component:?}"), unwritten)
                    })*
                }
            }
        }
    };
}

data! {
    Char: i8, as_i8;
    Uchar: u8, as_u8;
    Short: i16, as_i16;
    Ushort: u16, as_u16;
    Int: i32, as_i32;
    Uint: u32, as_u32;
    Long: i64, as_i64;
    Ulong: u64, as_u64;
    Half: f16, as_f16;
    Float: f32, as_f32;
    Double: f64, as_f64;
}

impl Data {
    /// Whether there are no components.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
