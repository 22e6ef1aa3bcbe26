import type { Channel, ChannelFields } from '../../../core/channels/channel.ts'
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
const TYPE_DEFAULT = '1'

/** A new channel, or one that is edited. Its key is never shown; an empty one stays as it is. */
export function ChannelForm({ channel, list }: { channel?: Channel; list: ListControl }) {
  const { toolkit, actor, say, text, tell } = useDesk()
  const own = (name: keyof ChannelFields & keyof Channel) => String(channel?.[name] ?? '')
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
      ...(channel ? { hint: text('empty: as it is') } : { required: true }),
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
      hint: '{"gpt-4o":"mine"}',
    },
    { kind: 'text', name: 'tag', label: text('Tag'), initial: own('tag') },
    { kind: 'text', name: 'other', label: text('Other'), initial: own('other'), hint: text('region, API version …') },
  ]

  async function submit(values: Values): Promise<void> {
    const { name = '', type = TYPE_DEFAULT, key = '', models = '', group = '' } = values
    const number = Number(type)
    const rest = {
      name: name.trim(),
      group: group.trim() || 'default',
      base_url: (values.base_url ?? '').trim(),
      priority: priority((values.priority || '0').trim()),
      weight: weight((values.weight || '0').trim()),
      test_model: (values.test_model ?? '').trim(),
      model_mapping: (values.model_mapping ?? '').trim(),
      tag: (values.tag ?? '').trim(),
      other: (values.other ?? '').trim(),
    }
    if (channel) {
      const changes = {
        ...rest,
        ...(number !== channel.type && { type: number }),
        ...(key && { key }),
        models: models.trim(),
      }
      await toolkit.channels.update(actor, channel.id, changes)
      tell(say`Channel ${rest.name} is saved.`, 'good')
    } else {
      const served = models.trim() || (findChannelType(number)?.models.join(',') ?? '')
      await toolkit.channels.create(actor, { ...rest, type: number, key: key.trim(), models: served })
      tell(say`Channel ${rest.name} is added: t tests it.`, 'good')
    }
    list.close()
    list.reload()
  }
  const title = channel ? say`Edit channel ${channel.name}` : text('New channel')
  return <Form title={title} fields={fields} submit={submit} onClose={list.close} />
}
