import type { Channel, ChannelFields } from '../../../core/channels/channel.ts'
import { splitKeys } from '../../../core/channels/keys.ts'
import { CHANNEL_TYPES, findChannelType } from '../../../core/channels/types.ts'
import { wholeNumber } from '../../arguments.ts'
import { useDesk } from '../desk.ts'
import type { Field, Values } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'

const priority = wholeNumber({ min: -999, max: 2 ** 31 - 1 })
const weight = wholeNumber({ min: 0, max: 2 ** 31 - 1 })
const TYPES = CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ type, slug }) => ({
  value: String(type),
  label: slug,
}))
const TYPE_DEFAULT = 1
const TEXTS = ['name', 'models', 'base_url', 'test_model', 'model_mapping', 'tag', 'other'] as const

/** A new channel, or one that is edited. Its key is never shown; an empty one stays as it is. */
export function ChannelForm({ channel, list }: { channel?: Channel; list: ListControl }) {
  const { toolkit, actor, say, text, tell } = useDesk()
  const own = (name: keyof ChannelFields & keyof Channel) => String(channel?.[name] ?? '')
  const checkKeys = (value: string) => {
    const { length } = splitKeys(value)
    if (length < 2 || channel?.multi_key) return
    throw new Error(say`These are ${length} keys, and the channel has one. Several: tollgate channel add --multi-key`)
  }
  const fields: Field[] = [
    { kind: 'text', name: 'name', label: text('Name'), initial: own('name'), required: true },
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
      check: checkKeys,
      hint: (value) =>
        value.includes('\n') ? say`${splitKeys(value).length} keys` : channel ? text('empty: as it is') : '',
      ...(!channel && { required: true }),
    },
    {
      kind: 'text',
      name: 'models',
      label: text('Models'),
      initial: own('models'),
      hint: channel ? text('separated by commas') : text("empty: the type's usual ones"),
    },
    {
      kind: 'text',
      name: 'base_url',
      label: text('Base URL'),
      initial: own('base_url'),
      hint: text("empty: the type's own"),
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
      initial: own('priority') || '0',
      check: priority,
      hint: text('higher comes first'),
    },
    {
      kind: 'text',
      name: 'weight',
      label: text('Weight'),
      initial: own('weight') || '0',
      check: weight,
      hint: text('share among equals'),
    },
    {
      kind: 'text',
      name: 'test_model',
      label: text('Test model'),
      initial: own('test_model'),
      hint: text('empty: the first'),
    },
    {
      kind: 'text',
      name: 'model_mapping',
      label: text('Model mapping'),
      initial: own('model_mapping'),
      lines: true,
      hint: '{"gpt-4o":"mine"}',
    },
    { kind: 'text', name: 'tag', label: text('Tag'), initial: own('tag') },
    { kind: 'text', name: 'other', label: text('Other'), initial: own('other'), hint: text('region, API version …') },
  ]

  async function submit(values: Values): Promise<void> {
    const { type, key = '' } = values
    const parts = { ...partsOf(values), ...(type !== undefined && { type: Number(type) }) }
    if (channel) {
      await toolkit.channels.update(actor, channel.id, { ...parts, ...(key && { key }) })
      tell(say`Channel ${parts.name ?? channel.name} is saved.`, 'good')
    } else {
      const { name = '', type: number = TYPE_DEFAULT } = parts
      const models = parts.models || (findChannelType(number)?.models.join(',') ?? '')
      await toolkit.channels.create(actor, { ...parts, name, type: number, key, models })
      tell(say`Channel ${name} is added: t tests it.`, 'good')
    }
    list.close()
    list.reload()
  }
  const title = channel ? say`Edit channel ${channel.name}` : text('New channel')
  return <Form title={title} existing={channel !== undefined} fields={fields} submit={submit} onClose={list.close} />
}

/** Of the fields that are given, what is stored. */
function partsOf(values: Values): ChannelFields & { name?: string; models?: string } {
  const texts = TEXTS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name].trim()]]))
  return {
    ...Object.fromEntries(texts),
    ...(values.group !== undefined && { group: values.group.trim() || 'default' }),
    ...(values.priority !== undefined && { priority: priority(values.priority.trim() || '0') }),
    ...(values.weight !== undefined && { weight: weight(values.weight.trim() || '0') }),
  }
}
