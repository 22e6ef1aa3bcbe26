import type { ChannelCreateRequest, ChannelEdit, ChannelType, EditedChannel } from '../../../api/channel-form.ts'
import { formatJson, withMember } from '../../../components/json-text.ts'

/** `one`: one key. `batch`: a new channel for each line's key. `several`: all lines' keys for one channel. */
export type KeyMode = 'one' | 'batch' | 'several'
type MultiKeyMode = 'random' | 'polling'

export interface ChannelFormValues {
  type?: number | undefined
  name: string
  keyMode: KeyMode
  /** How a request selects one of several keys. */
  multiKeyMode: MultiKeyMode
  key: string
  base_url: string
  other: string
  models: string[]
  model_mapping: string
  test_model: string
  groups: string[]
  tag: string
  priority: number
  weight: number
  openai_organization: string
  auto_ban: boolean
  status_code_mapping: string
  /** The channel settings as JSON, without the multi-key mode, which is `multiKeyMode` here. */
  setting: string
}

export const NEW_CHANNEL_FORM: ChannelFormValues = {
  name: '',
  keyMode: 'one',
  multiKeyMode: 'random',
  key: '',
  base_url: '',
  other: '',
  models: [],
  model_mapping: '',
  test_model: '',
  groups: ['default'],
  tag: '',
  priority: 0,
  weight: 0,
  openai_organization: '',
  auto_ban: true,
  status_code_mapping: '',
  setting: '',
}

export function channelFormOf(channel: EditedChannel): ChannelFormValues {
  const { multi_key } = channel
  return {
    type: channel.type,
    name: channel.name,
    keyMode: multi_key ? 'several' : 'one',
    multiKeyMode: multi_key?.mode ?? 'random',
    key: '',
    base_url: channel.base_url,
    other: channel.other,
    models: splitModels(channel.models),
    model_mapping: jsonOf(channel.model_mapping),
    test_model: channel.test_model ?? '',
    groups: splitModels(channel.group),
    tag: channel.tag ?? '',
    priority: channel.priority,
    weight: channel.weight,
    openai_organization: channel.openai_organization ?? '',
    auto_ban: channel.auto_ban === 1,
    status_code_mapping: jsonOf(channel.status_code_mapping),
    setting: jsonOf(multi_key ? withoutMultiKeyMode(channel.setting) : channel.setting),
  }
}

/** Returns the fields of the channel, except its type and key. */
function fieldsOf(form: ChannelFormValues) {
  return {
    name: form.name.trim(),
    base_url: form.base_url.trim(),
    other: form.other.trim(),
    models: form.models.join(','),
    model_mapping: tidyJson(form.model_mapping),
    test_model: form.test_model.trim(),
    group: form.groups.join(','),
    tag: form.tag.trim(),
    priority: wholeNumber(form.priority),
    weight: wholeNumber(form.weight),
    openai_organization: form.openai_organization.trim(),
    auto_ban: form.auto_ban ? 1 : 0,
    status_code_mapping: tidyJson(form.status_code_mapping),
    setting: tidyJson(form.keyMode === 'several' ? withMultiKeyMode(form.setting, form.multiKeyMode) : form.setting),
  }
}

export function creationOf(form: ChannelFormValues & { type: number }): ChannelCreateRequest {
  return { type: form.type, key: form.key.trim(), ...fieldsOf(form) }
}

/** Returns the fields that differ from the initial values `start`; undefined if no field differs. */
export function editOf(id: number, start: ChannelFormValues, form: ChannelFormValues): ChannelEdit | undefined {
  const startFields = new Map<string, unknown>(Object.entries(fieldsOf(start)))
  const currentFields = fieldsOf(form)
  const changes = Object.entries(currentFields).filter(([name, value]) => startFields.get(name) !== value)
  const key = form.key.trim()
  const edit: Omit<ChannelEdit, 'id'> = {
    ...Object.fromEntries(changes),
    ...(key && { key }),
    // The server validates `other` depending on the type, so send both.
    ...(form.type !== undefined && form.type !== start.type && { type: form.type, other: currentFields.other }),
  }
  return Object.keys(edit).length > 0 ? { id, ...edit } : undefined
}

/** Returns the models after the choice of a type: the type's defaults, or `models` if the user has changed them. */
export function modelsFor(
  kind: ChannelType | undefined,
  { models, previous }: { models: readonly string[]; previous: ChannelType | undefined },
): readonly string[] {
  const isUnchanged = models.length === 0 || models.join() === previous?.models.join()
  return isUnchanged && kind ? kind.models : models
}

/** Returns the trimmed, unique entries of a comma-separated list. */
export function splitModels(text: string): string[] {
  return [...new Set(text.split(/[,，\n]/).map((entry) => entry.trim()))].filter(Boolean)
}

/** Returns stored JSON for the form. The form shows `null` and an empty object as empty text. */
function jsonOf(text: string | null): string {
  return text === null || text === 'null' || text === '{}' ? '' : tidyJson(text)
}

/** Formats JSON text, so that formatting alone is not a change. Only trims invalid JSON; the server rejects it. */
function tidyJson(text: string): string {
  return formatJson(text) ?? text.trim()
}

function wholeNumber(value: unknown): number {
  const number = Math.trunc(Number(value))
  return Number.isFinite(number) ? number : 0
}

const MODE_SETTING = 'multi_key_mode'

/** Adds the multi-key mode to the settings. Text that is not a JSON object is only trimmed; the server rejects it. */
function withMultiKeyMode(setting: string, mode: MultiKeyMode): string {
  return withMember(setting.trim() || '{}', MODE_SETTING, `"${mode}"`) ?? setting.trim()
}

/** Removes the multi-key mode, which has its own field, from the settings. Returns empty text if nothing remains. */
function withoutMultiKeyMode(setting: string): string {
  const settings = withMember(setting, MODE_SETTING, undefined) ?? '{}'
  return settings === '{}' ? '' : settings
}
