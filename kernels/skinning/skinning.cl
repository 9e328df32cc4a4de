// Moves the vertices of a body with its bones: the motions of a vertex's four bones, as dual quaternions, are
// added up by its weights (Kavan, Collins, Žára and O'Sullivan, ACM Trans. Graph. 27 (2008)). Vertices lie as a
// vertex buffer has them; a work-item goes through them in steps of all work-items.

typedef struct {
    float place[3], normal[3];
    uchar bones[4], weights[4];
} vertex;

typedef struct {
    float4 turn, shift; // both parts of a dual quaternion, x, y, z and w
} motion;

typedef struct {
    float place[3], normal[3];
} skin;

inline float3 turned(float4 by, float3 v)
{
    return v + 2.0f * cross(by.xyz, cross(by.xyz, v) + by.w * v);
}

// A motion and its negative are the same; of both, the one nearer to the first bone's is added.
#define ADD_BONE(which)                                                               \
    do {                                                                              \
        const motion m = motions[bones.which];                                        \
        const float weight = dot(m.turn, first) < 0.0f ? -weights.which : weights.which; \
        sum.turn += weight * m.turn;                                                  \
        sum.shift += weight * m.shift;                                                \
    } while (0)

static inline motion blended(uchar4 bones, float4 weights, __constant motion *motions)
{
    const float4 first = motions[bones.x].turn;
    motion sum = {(float4)(0.0f), (float4)(0.0f)};
    ADD_BONE(x);
    ADD_BONE(y);
    ADD_BONE(z);
    ADD_BONE(w);
    const float scale = rsqrt(dot(sum.turn, sum.turn));
    sum.turn *= scale;
    sum.shift *= scale;
    return sum;
}

static inline float3 shifted(motion m)
{
    return 2.0f * (m.turn.w * m.shift.xyz - m.shift.w * m.turn.xyz + cross(m.turn.xyz, m.shift.xyz));
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void skinning(__global const vertex *vertices, __constant motion *motions, __global skin *skins, int number)
{
    for (int i = get_global_id(0); i < number; i += get_global_size(0)) {
        __global const vertex *v = &vertices[i];
        const float4 weights = convert_float4(vload4(0, v->weights)) * (1.0f / 255.0f);
        const motion m = blended(vload4(0, v->bones), weights, motions);
        vstore3(turned(m.turn, vload3(0, v->place)) + shifted(m), 0, skins[i].place);
        vstore3(turned(m.turn, vload3(0, v->normal)), 0, skins[i].normal);
    }
}
