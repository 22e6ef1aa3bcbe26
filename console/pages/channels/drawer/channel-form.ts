import type { ChannelEdit, ChannelKind, EditedChannel, NewChannel } from '../../../api/channel-form.ts'
import { laidOut } from '../../../components/json-text.ts'
import { withMultiKeyMode, withoutMultiKeyMode } from './multi-key.ts'

/** `one`; `batch`: a channel for each line; `several`: all lines are keys of one channel. */
export type KeyMode = 'one' | 'batch' | 'several'
export type MultiKeyMode = 'random' | 'polling'

/** A channel as its form has it. */
export interface ChannelForm {
  type?: number | undefined
  name: string
  keyMode: KeyMode
  /** How one of several keys is chosen. */
  severalBy: MultiKeyMode
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
  /** Without what the mode of the keys says. */
  setting: string
}

export const NEW_CHANNEL_FORM: ChannelForm = {
  name: '',
  keyMode: 'one',
  severalBy: 'random',
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

export function formOf(channel: EditedChannel): ChannelForm {
  const { multi_key } = channel
  return {
    type: channel.type,
    name: channel.name,
    keyMode: multi_key ? 'several' : 'one',
    severalBy: multi_key?.mode ?? 'random',
    key: '',
    base_url: channel.base_url,
    other: channel.other,
    models: listOf(channel.models),
    model_mapping: jsonOf(channel.model_mapping),
    test_model: channel.test_model ?? '',
    groups: listOf(channel.group),
    tag: channel.tag ?? '',
    priority: channel.priority,
    weight: channel.weight,
    openai_organization: channel.openai_organization ?? '',
    auto_ban: channel.auto_ban === 1,
    status_code_mapping: jsonOf(channel.status_code_mapping),
    setting: jsonOf(multi_key ? withoutMultiKeyMode(channel.setting) : channel.setting),
  }
}

/** The fields of the record, but for its type and key. */
function fieldsOf(form: ChannelForm) {
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
    setting: tidyJson(form.keyMode === 'several' ? withMultiKeyMode(form.setting, form.severalBy) : form.setting),
  }
}

export function creationOf(form: ChannelForm & { type: number }): NewChannel {
  return { type: form.type, key: form.key.trim(), ...fieldsOf(form) }
}

/** What an edit writes: the fields that are no longer what the form began with. Undefined when there is none. */
export function editOf(id: number, start: ChannelForm, form: ChannelForm): ChannelEdit | undefined {
  const before = new Map<string, unknown>(Object.entries(fieldsOf(start)))
  const after = fieldsOf(form)
  const changed = Object.fromEntries(Object.entries(after).filter(([name, value]) => before.get(name) !== value))
  const key = form.key.trim()
  const edit: Omit<ChannelEdit, 'id'> = {
    ...changed,
    ...(key && { key }),
    // What `other` must be depends on the type: the two are judged together.
    ...(form.type !== undefined && form.type !== start.type && { type: form.type, other: after.other }),
  }
  return Object.keys(edit).length > 0 ? { id, ...edit } : undefined
}

/** The models that a form gets with its type: the kind's own, unless others were chosen by hand. */
export function modelsFor(
  kind: ChannelKind | undefined,
  { models, previous }: { models: readonly string[]; previous: ChannelKind | undefined },
): readonly string[] {
  const untouched = models.length === 0 || models.join() === previous?.models.join()
  return untouched && kind ? kind.models : models
}

/** Tidied entries of a comma list, each once. */
export function listOf(text: string): string[] {
  return [...new Set(text.split(/[,，\n]/).map((entry) => entry.trim()))].filter(Boolean)
}

/** Nothing at all is written as nothing, as `null`, and as an empty object. */
function jsonOf(text: string | null): string {
  return text === null || text === 'null' || text === '{}' ? '' : tidyJson(text)
}

/** Laid out in one way, so that another layout alone is no change. What is no JSON stays, for the server to refuse. */
function tidyJson(text: string): string {
  return laidOut(text) ?? text.trim()
}

function wholeNumber(value: unknown): number {
  const number = Math.trunc(Number(value))
  return Number.isFinite(number) ? number : 0
}
