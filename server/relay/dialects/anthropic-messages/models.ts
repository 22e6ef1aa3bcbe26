/** Fields that clients require in every model. As in Anthropic's API, null means unknown. */
const REQUIRED_FIELDS = {
  lifecycle: 'active' as const,
  deprecated_at: null,
  retires_at: null,
  line: null,
  max_input_tokens: null,
  max_tokens: null,
}

/** Returns a model list. `created`: unix seconds. https://platform.claude.com/docs/en/api/models-list */
export function anthropicModelList(ids: readonly string[], { created = 0 }: { created?: number } = {}) {
  return {
    data: ids.map((id) => anthropicModel(id, { created })),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  }
}

export function anthropicModel(id: string, { created = 0 }: { created?: number } = {}) {
  return {
    type: 'model' as const,
    id,
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
    ...REQUIRED_FIELDS,
  }
}
