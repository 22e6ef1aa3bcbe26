import type { Channel, ChannelFields } from '../../../core/channels/channel.ts'
import { splitKeys } from '../../../core/channels/keys/keys.ts'
import { objectIn } from '../../../core/channels/settings/other-info.ts'
import { MULTI_KEY_MODES } from '../../../core/channels/settings/settings.ts'
import { CHANNEL_TYPES, findChannelType } from '../../../core/channels/types/types.ts'
import { CommandError } from '../../errors.ts'
import { wholeNumber } from '../../input/arguments.ts'
import type { Field, Values } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

const priority = wholeNumber({ min: -999, max: 2 ** 31 - 1 })
const weight = wholeNumber({ min: 0, max: 2 ** 31 - 1 })
const TYPES = CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ type, slug }) => ({
  value: String(type),
  label: slug,
}))
const TYPE_DEFAULT = 1
const ONE_KEY = 'one'
const TEXTS = ['name', 'models', 'base_url', 'test_model', 'model_mapping', 'tag', 'other'] as const

/** Creates or edits a channel. Never shows the key; an empty one stays unchanged. */
export function ChannelForm({ channel, list }: { channel?: Channel; list: ListControl }) {
  const { toolkit, actor, say, text, notify } = useUi()
  const initial = (name: keyof ChannelFields & keyof Channel) => String(channel?.[name] ?? '')
  const modes = [
    { value: ONE_KEY, label: text('one key') },
    ...MULTI_KEY_MODES.map((mode) => ({ value: mode, label: text(mode) })),
  ]
  const fields: Field[] = [
    { kind: 'text', name: 'name', label: text('Name'), initial: initial('name'), required: true },
    {
      kind: 'choice',
      name: 'type',
      label: text('Type'),
      initial: String(channel?.type ?? TYPE_DEFAULT),
      choices: TYPES,
    },
    {
      kind: 'secret',
      name: 'key',
      label: text('Key'),
      initial: '',
      lines: true,
      hint: (value) =>
        value.includes('\n') ? say`${splitKeys(value).length} keys` : channel ? text('empty: unchanged') : '',
      ...(!channel && { required: true }),
    },
    { kind: 'choice', name: 'mode', label: text('Key usage'), initial: modeOf(channel), choices: modes },
    {
      kind: 'text',
      name: 'models',
      label: text('Models'),
      initial: initial('models'),
      hint: channel ? text('separated by commas') : text("empty: the type's models"),
    },
    {
      kind: 'text',
      name: 'base_url',
      label: text('Base URL'),
      initial: initial('base_url'),
      hint: text("empty: the type's address"),
    },
    {
      kind: 'text',
      name: 'group',
      label: text('Groups'),
      initial: channel?.group ?? 'default',
      hint: text('separated by commas'),
    },
    {
      kind: 'text',
      name: 'priority',
      label: text('Priority'),
      initial: initial('priority') || '0',
      check: priority,
      hint: text('higher is used first'),
    },
    {
      kind: 'text',
      name: 'weight',
      label: text('Weight'),
      initial: initial('weight') || '0',
      check: weight,
      hint: text('weight at equal priority'),
    },
    {
      kind: 'text',
      name: 'test_model',
      label: text('Test model'),
      initial: initial('test_model'),
      hint: text('empty: the first'),
    },
    {
      kind: 'text',
      name: 'model_mapping',
      label: text('Model mapping'),
      initial: initial('model_mapping'),
      lines: true,
      hint: '{"gpt-4o":"mine"}',
    },
    { kind: 'text', name: 'tag', label: text('Tag'), initial: initial('tag') },
    {
      kind: 'text',
      name: 'other',
      label: text('Other'),
      initial: initial('other'),
      hint: text('region, API version …'),
    },
  ]

  async function submit(values: Values): Promise<void> {
    const { type, key = '', mode = modeOf(channel) } = values
    const { length } = splitKeys(key)
    if (length > 1 && mode === ONE_KEY) {
      throw new CommandError('DECLINED', say`These are ${length} keys, but the channel uses one: change "Key usage".`)
    }
    const setting = mode !== modeOf(channel) && { setting: settingWith(channel?.setting ?? '', mode) }
    const parts = { ...partsOf(values), ...(type !== undefined && { type: Number(type) }), ...setting }
    if (channel) {
      await toolkit.channels.update(actor, channel.id, { ...parts, ...(key && { key }) })
      notify(say`Saved channel ${parts.name ?? channel.name}.`, 'good')
    } else {
      const { name = '', type: number = TYPE_DEFAULT } = parts
      const models = parts.models || (findChannelType(number)?.models.join(',') ?? '')
      await toolkit.channels.create(actor, { ...parts, name, type: number, key, models })
      notify(say`Added channel ${name}. Press t to test it.`, 'good')
    }
    list.close()
    list.reload()
  }
  const title = channel ? say`Edit channel ${channel.name}` : text('New channel')
  return <Form title={title} existing={channel !== undefined} fields={fields} submit={submit} onClose={list.close} />
}

const modeOf = (channel: Channel | undefined): string => channel?.multi_key?.mode ?? ONE_KEY

/** Changes the key mode in the `setting` column. */
function settingWith(setting: string, mode: string): string {
  const { multi_key_mode: _, ...others } = objectIn(setting)
  return JSON.stringify(mode === ONE_KEY ? others : { ...others, multi_key_mode: mode })
}

/** Converts the given fields to stored values. */
function partsOf(values: Values): ChannelFields & { name?: string; models?: string } {
  const texts = TEXTS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name].trim()]]))
  return {
    ...Object.fromEntries(texts),
    ...(values.group !== undefined && { group: values.group.trim() || 'default' }),
    ...(values.priority !== undefined && { priority: priority(values.priority.trim() || '0') }),
    ...(values.weight !== undefined && { weight: weight(values.weight.trim() || '0') }),
  }
}
