// Packets of photons fall onto layers that scatter and absorb, and leave a part of their weight wherever they
// are scattered, as in Wang, Jacques and Zheng's MCML (Comput. Methods Programs Biomed. 47 (1995)); all layers
// bend light alike. A work-item has a packet and a generator of random numbers, O'Neill's PCG32 (2014), whose
// state goes back to memory. Weights are added up in SHAREths, so that their order changes nothing.

typedef struct {
    ulong state, increment;
} generator;

typedef struct {
    float absorption, scattering; // events per length
    float forward;                // mean cosine of an angle of scattering
    float bottom;
} layer;

#define SHARE 1024.0f
#define LIGHT 0.05f   // below, a packet is lost or made heavier
#define SURVIVAL 0.125f
#define UPRIGHT 0.99999f

static inline uint next_bits(generator *from)
{
    const ulong old = from->state;
    from->state = old * 6364136223846793005UL + from->increment;
    return rotate((uint)((old >> 18 ^ old) >> 27), 32u - (uint)(old >> 59));
}

// Above 0 and below 1.
static inline float next_number(generator *from)
{
    return ((next_bits(from) >> 9) + 0.5f) * 0x1p-23f;
}

// After Henyey and Greenstein (1941).
static inline float next_cosine(generator *from, float forward)
{
    const float number = next_number(from);
    if (forward == 0.0f)
        return 2.0f * number - 1.0f;
    const float part = (1.0f - forward * forward) / (1.0f - forward + 2.0f * forward * number);
    return (1.0f + forward * forward - part * part) / (2.0f * forward);
}

static inline float3 turned(float3 way, float cosine, float angle)
{
    const float sine = sqrt(fmax(1.0f - cosine * cosine, 0.0f));
    const float u = sine * cos(angle), v = sine * sin(angle);
    if (fabs(way.z) > UPRIGHT)
        return (float3)(u, v, copysign(cosine, way.z * cosine));
    const float flat = sqrt(1.0f - way.z * way.z);
    return (float3)((way.x * way.z * u - way.y * v) / flat + way.x * cosine,
                    (way.y * way.z * u + way.x * v) / flat + way.y * cosine, way.z * cosine - flat * u);
}

static inline int bin_of(float3 place, float bottom)
{
    const int depth = min((int)(place.z / bottom * DEPTHS), DEPTHS - 1);
    const int distance = min((int)(sqrt(place.x * place.x + place.y * place.y) * DISTANCES), DISTANCES - 1);
    return depth * DISTANCES + distance;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void photon_transport(__global generator *generators, __constant layer *layers, __global uint *absorbed,
                      __global uint *escaped, int layers_number, int photons, int steps)
{
    const int photon = get_global_id(0);
    if (photon >= photons)
        return;

    generator own = generators[photon];
    const float bottom = layers[layers_number - 1].bottom;
    float3 place = (float3)(0.0f), way = (float3)(0.0f, 0.0f, 1.0f);
    float weight = 1.0f;
    int in = 0;
    for (int step = 0; step < steps; ++step) {
        const float events = layers[in].absorption + layers[in].scattering;
        place -= way * (log(next_number(&own)) / events);
        if (place.z < 0.0f || place.z >= bottom) {
            atomic_add(&escaped[place.z >= bottom], convert_uint(weight * SHARE));
            break;
        }
        for (in = 0; place.z >= layers[in].bottom; ++in)
            ;
        const layer here = layers[in];
        const float left = weight * here.absorption / (here.absorption + here.scattering);
        atomic_add(&absorbed[bin_of(place, bottom)], convert_uint(left * SHARE));
        weight -= left;
        if (weight < LIGHT) {
            if (next_number(&own) >= SURVIVAL)
                break;
            weight /= SURVIVAL;
        }
        const float cosine = next_cosine(&own, here.forward);
        way = turned(way, cosine, 2.0f * M_PI_F * next_number(&own));
    }
    generators[photon] = own;
}
