//! Objects whose names are data: of two values under one name serde would take the last.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt,
    marker::PhantomData,
};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};

/// Counters by provider and name.
pub type CounterSet = BTreeMap<String, BTreeMap<String, f64>>;

struct EachOnce<V>(BTreeMap<String, V>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for EachOnce<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

struct Entries<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
    type Value = EachOnce<V>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<EachOnce<V>, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((name, value)) = entries.next_entry::<String, V>()? {
            match map.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(value);
                }
                // As serde says it of a struct's field.
                Entry::Occupied(place) => {
                    let name = place.key();
                    return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
                }
            }
        }
        Ok(EachOnce(map))
    }
}

/// For `deserialize_with`.
pub(crate) fn map<'de, V: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, V>, D::Error> {
    EachOnce::deserialize(deserializer).map(|EachOnce(map)| map)
}

/// The same of providers and their counters.
pub(crate) fn counters<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CounterSet, D::Error> {
    EachOnce::deserialize(deserializer).map(of_each_provider)
}

/// The same where they may be absent.
pub(crate) fn optional_counters<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<CounterSet>, D::Error> {
    let set = Option::<EachOnce<EachOnce<f64>>>::deserialize(deserializer)?;
    Ok(set.map(of_each_provider))
}

fn of_each_provider(EachOnce(set): EachOnce<EachOnce<f64>>) -> CounterSet {
    let providers = set.into_iter();
    let counters = providers.map(|(provider, EachOnce(counters))| (provider, counters));
    counters.collect()
}
