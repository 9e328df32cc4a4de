//! Formats of images, and samplers that read them.

use std::{fmt, str::FromStr};

use serde::Deserialize;

use super::{Base, Element};

/// The format of a pixel in memory: `rgba_unorm_int8`. It has OpenCL's names of order and type, without `CL_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageFormat {
    order: &'static str,
    channel: &'static str,
    /// The type of a pixel on the host: `unorm_int8` is a `uchar`.
    pub element: Element,
}

/// An image's width and height, and its pixels' format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Format of a pixel.
    pub format: ImageFormat,
    /// Width, pixels.
    pub width: usize,
    /// Height, pixels.
    pub height: usize,
}

/// A `sampler_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampler {
    /// Whether coordinates go from 0 to 1 rather than to width and height.
    #[serde(default)]
    pub normalized: bool,
    /// The rule for coordinates beyond the edges.
    pub addressing: Addressing,
    /// The rule for coordinates between pixels.
    pub filter: Filter,
}

/// The rule for coordinates beyond the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Addressing {
    /// No rule: there are no such coordinates.
    None,
    /// The nearest pixel.
    ClampToEdge,
    /// The border colour.
    Clamp,
    /// The image again, for normalized coordinates.
    Repeat,
    /// The image's mirror image, for normalized coordinates.
    MirroredRepeat,
}

/// The rule for coordinates between pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// The pixel that they are in.
    Nearest,
    /// A mean of four.
    Linear,
}

const ORDERS: [(&str, usize); 4] = [("r", 1), ("rg", 2), ("rgba", 4), ("bgra", 4)];

const CHANNELS: [(&str, Base); 12] = [
    ("snorm_int8", Base::Char),
    ("snorm_int16", Base::Short),
    ("unorm_int8", Base::Uchar),
    ("unorm_int16", Base::Ushort),
    ("signed_int8", Base::Char),
    ("signed_int16", Base::Short),
    ("signed_int32", Base::Int),
    ("unsigned_int8", Base::Uchar),
    ("unsigned_int16", Base::Ushort),
    ("unsigned_int32", Base::Uint),
    ("half_float", Base::Half),
    ("float", Base::Float),
];

impl Image {
    /// Number of pixels.
    pub fn pixels(self) -> usize {
        self.width * self.height
    }
}

impl Addressing {
    /// The launch file's word for the rule.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ClampToEdge => "clamp_to_edge",
            Self::Clamp => "clamp",
            Self::Repeat => "repeat",
            Self::MirroredRepeat => "mirrored_repeat",
        }
    }
}

impl Filter {
    /// The launch file's word for the rule.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Linear => "linear",
        }
    }
}

impl Sampler {
    /// Whether OpenCL has this sampler: images repeat in normalized coordinates alone.
    pub(crate) fn exists(self) -> bool {
        self.normalized
            || !matches!(
                self.addressing,
                Addressing::Repeat | Addressing::MirroredRepeat
            )
    }
}

impl fmt::Display for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.order, self.channel)
    }
}

impl FromStr for ImageFormat {
    /// The words that were expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let format = text.split_once('_').and_then(|(order, channel)| {
            let (order, lanes) = *ORDERS.iter().find(|it| it.0 == order)?;
            let (channel, base) = *CHANNELS.iter().find(|it| it.0 == channel)?;
            Some(Self {
                order,
                channel,
                element: Element { base, lanes },
            })
        });
        format.ok_or_else(|| {
            let orders = ORDERS.map(|(name, _)| name).join(", ");
            let channels = CHANNELS.map(|(name, _)| name).join(", ");
            format!("ORDER_TYPE: one of {orders}, and one of {channels}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_format_and_writes_it_back() {
        for (order, lanes) in ORDERS {
            for (channel, base) in CHANNELS {
                let text = format!("{order}_{channel}");
                let format: ImageFormat = text.parse().expect("a format");
                assert_eq!(format.element, Element { base, lanes });
                assert_eq!(format.to_string(), text);
            }
        }
        for wrong in ["rgba", "float", "rgb_float", "rgba_float32", "_float", ""] {
            assert!(wrong.parse::<ImageFormat>().is_err(), "{wrong}");
        }
    }
}
