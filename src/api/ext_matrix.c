// SPDX-License-Identifier: Apache-2.0
// The cooperative matrix products that the device computes efficiently (draft of
// cl_khr_cooperative_matrix): those of its matrix units; if it has none, some of those that the
// compiler emulates with sub-group operations, which supports all.
#include "api/api.h"
#include "api/info.h"

static void put_variant(struct info *info, const struct kc_matrix_shape *shape)
{
    const cl_device_cooperative_matrix_variant_khr variant = {
        .m_size = shape->rows,
        .n_size = shape->columns,
        .k_size = shape->depth,
        .a_type = shape->a,
        .b_type = shape->b,
        .c_type = shape->c,
        .result_type = shape->result,
        .saturating_accumulation = shape->saturating,
    };
    info_put(info, &variant, sizeof variant);
}

// The draft has no values for bfloat16 and 8-bit floats, and programs do not know others.
static bool is_numbered(const struct kc_matrix_shape *shape)
{
    return shape->a < KC_COMPONENT_BF16 && shape->b < KC_COMPONENT_BF16 && shape->c < KC_COMPONENT_BF16 &&
           shape->result < KC_COMPONENT_BF16;
}

static void put_products(struct info *info, unsigned from, unsigned to, bool saturating)
{
    struct kc_matrix_shape shape = {16, 16, 16, (uint8_t)from, (uint8_t)from, (uint8_t)to, (uint8_t)to, saturating};
    put_variant(info, &shape);
}

static cl_int get_variants(const void *object, struct info *info)
{
    const struct kc_target *target = &((const struct _cl_device_id *)object)->caps.target;
    for (uint32_t i = 0; i < target->matrix_shape_count; i++)
        if (is_numbered(&target->matrix_shapes[i]))
            put_variant(info, &target->matrix_shapes[i]);
    if (target->matrix_shape_count || !target->subgroups)
        return CL_SUCCESS;
    if (target->float16 && target->storage16) {
        put_products(info, KC_COMPONENT_F16, KC_COMPONENT_F16, false);
        put_products(info, KC_COMPONENT_F16, KC_COMPONENT_F32, false);
    }
    put_products(info, KC_COMPONENT_F32, KC_COMPONENT_F32, false);
    for (int saturating = 0; saturating < 2; saturating++) {
        put_products(info, KC_COMPONENT_S8, KC_COMPONENT_S32, saturating);
        put_products(info, KC_COMPONENT_U8, KC_COMPONENT_U32, saturating);
    }
    return CL_SUCCESS;
}

static cl_int get_none(const void *object, struct info *info)
{
    (void)object, (void)info;
    return CL_SUCCESS;
}

static const struct info_row ours[] = {
    INFO_CALL(CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR, get_variants),
    INFO_CALL(CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR, get_variants),
};
static const struct info_row others[] = {
    INFO_CALL(CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR, get_none),
};

cl_int CL_API_CALL clGetDeviceCooperativeMatrixInfoKHR(cl_device_id device,
                                                       cl_device_cooperative_matrix_info_khr param_name,
                                                       size_t input_value_size, const void *input_value,
                                                       size_t param_value_size, void *param_value,
                                                       size_t *param_value_size_ret)
{
    API_CALL;
    TRY(api_check(device, OBJECT_DEVICE));
    if (!device->caps.target.subgroups)
        return REFUSE(CL_INVALID_OPERATION, "the device does not support sub-groups");
    bool of_size = param_name == CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR;
    if (of_size && (!input_value || input_value_size != sizeof(cl_uint)))
        return REFUSE(CL_INVALID_VALUE, "the sub-group size must be a cl_uint");
    bool other = of_size && *(const cl_uint *)input_value != device->caps.target.subgroup_size;
    return info_get(other ? others : ours, other ? INFO_COUNT(others) : INFO_COUNT(ours), device, param_name,
                    param_value_size, param_value, param_value_size_ret);
}
