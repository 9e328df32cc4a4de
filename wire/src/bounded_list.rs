//! Lists whose length is checked while they are read.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};

/// A list of at most `N` items: reading stops at the first too many, however many follow.
#[derive(Clone, Debug, PartialEq)]
pub struct AtMost<const N: usize, T>(pub Vec<T>);

impl<'de, const N: usize, T: Deserialize<'de>> Deserialize<'de> for AtMost<N, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Items::<N, T>(PhantomData))
    }
}

/// For a field that may be absent: `deserialize_with`.
pub(crate) fn optional<'de, const N: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let list = Option::<AtMost<N, T>>::deserialize(deserializer)?;
    Ok(list.map(|AtMost(items)| items))
}

/// For a field that must be there: `deserialize_with`.
pub(crate) fn list<'de, const N: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    AtMost::<N, T>::deserialize(deserializer).map(|AtMost(items)| items)
}

struct Items<const N: usize, T>(PhantomData<T>);

impl<'de, const N: usize, T: Deserialize<'de>> Visitor<'de> for Items<N, T> {
    type Value = AtMost<N, T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "an array of at most {N} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<AtMost<N, T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == N {
                return Err(A::Error::invalid_length(N + 1, &self));
            }
            list.push(item);
        }
        Ok(AtMost(list))
    }
}
