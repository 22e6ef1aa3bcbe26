import type { Channel, ChannelFields } from '../../../core/channels/channel.ts'
import { splitKeys } from '../../../core/channels/keys/keys.ts'
import { objectIn } from '../../../core/channels/settings/other-info.ts'
import { MULTI_KEY_MODES } from '../../../core/channels/settings/settings.ts'
import { CHANNEL_TYPES, findChannelType } from '../../../core/channels/types/types.ts'
import { CommandError } from '../../errors.ts'
import { channelPriority, channelWeight } from '../../input/arguments.ts'
import type { FieldValues, FormField } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

const TYPES = CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ type, slug }) => ({
  value: String(type),
  label: slug,
}))
const TYPE_DEFAULT = 1
const ONE_KEY = 'one'
const TEXTS = ['name', 'models', 'base_url', 'test_model', 'model_mapping', 'tag', 'other'] as const

/** Form that creates or edits a channel. It never shows the key, and an empty key field leaves the key unchanged. */
export function ChannelForm({ channel, list }: { channel?: Channel; list: ListControl }) {
  const { toolkit, actor, t, label, notify } = useUi()
  const initial = (name: keyof ChannelFields & keyof Channel) => String(channel?.[name] ?? '')
  const modes = [
    { value: ONE_KEY, label: t('ui.oneKey') },
    ...MULTI_KEY_MODES.map((mode) => ({ value: mode, label: label(mode) })),
  ]
  const fields: FormField[] = [
    { name: 'name', label: t('ui.name'), initial: initial('name'), required: true },
    {
      kind: 'choice',
      name: 'type',
      label: t('ui.type'),
      initial: String(channel?.type ?? TYPE_DEFAULT),
      choices: TYPES,
    },
    {
      kind: 'secret',
      name: 'key',
      label: t('ui.key'),
      initial: '',
      lines: true,
      hint: (value) =>
        value.includes('\n') ? t('ui.keyCount', { count: splitKeys(value).length }) : channel ? t('ui.empty') : '',
      ...(!channel && { required: true }),
    },
    { kind: 'choice', name: 'mode', label: t('ui.keyUsage'), initial: modeOf(channel), choices: modes },
    {
      name: 'models',
      label: t('ui.models'),
      initial: initial('models'),
      hint: channel ? t('ui.separatedByCommas') : t('ui.emptyTheTypeModels'),
    },
    { name: 'base_url', label: t('ui.baseUrl'), initial: initial('base_url'), hint: t('ui.emptyTheTypeAddress') },
    { name: 'group', label: t('ui.groups'), initial: channel?.group ?? 'default', hint: t('ui.separatedByCommas') },
    {
      name: 'priority',
      label: t('ui.priority'),
      initial: initial('priority') || '0',
      check: channelPriority,
      hint: t('ui.higherIsUsedFirst'),
    },
    {
      name: 'weight',
      label: t('ui.weight'),
      initial: initial('weight') || '0',
      check: channelWeight,
      hint: t('ui.weightAtEqualPriority'),
    },
    { name: 'test_model', label: t('ui.testModel'), initial: initial('test_model'), hint: t('ui.emptyTheFirst') },
    {
      name: 'model_mapping',
      label: t('ui.modelMapping'),
      initial: initial('model_mapping'),
      lines: true,
      hint: '{"gpt-4o":"mine"}',
    },
    { name: 'tag', label: t('ui.tag'), initial: initial('tag') },
    { name: 'other', label: t('ui.other'), initial: initial('other'), hint: t('ui.regionApiVersion') },
  ]

  async function submit(values: FieldValues): Promise<void> {
    const { type, key = '', mode = modeOf(channel) } = values
    const { length } = splitKeys(key)
    if (length > 1 && mode === ONE_KEY) throw new CommandError('DECLINED', t('ui.theseAreKeys', { number: length }))
    const setting = mode !== modeOf(channel) && { setting: settingWith(channel?.setting ?? '', mode) }
    const channelFields = { ...storedFields(values), ...(type !== undefined && { type: Number(type) }), ...setting }
    if (channel) {
      await toolkit.channels.update(actor, channel.id, { ...channelFields, ...(key && { key }) }, { emptyClears: true })
      notify(t('ui.savedChannel', { name: channelFields.name ?? channel.name }), 'good')
    } else {
      const { name = '', type: number = TYPE_DEFAULT } = channelFields
      const models = channelFields.models || (findChannelType(number)?.models.join(',') ?? '')
      await toolkit.channels.create(actor, { ...channelFields, name, type: number, key, models })
      notify(t('ui.addedChannel', { name }), 'good')
    }
    list.close()
    list.reload()
  }
  const title = channel ? t('ui.editChannel', { name: channel.name }) : t('ui.newChannel')
  return <Form title={title} existing={channel !== undefined} fields={fields} submit={submit} onClose={list.close} />
}

const modeOf = (channel: Channel | undefined): string => channel?.multi_key?.mode ?? ONE_KEY

/** Returns the value of the `setting` column with another key mode. */
function settingWith(setting: string, mode: string): string {
  const { multi_key_mode: _, ...others } = objectIn(setting)
  return JSON.stringify(mode === ONE_KEY ? others : { ...others, multi_key_mode: mode })
}

/** Converts values of the form to stored values. */
function storedFields(values: FieldValues): ChannelFields & { name?: string; models?: string } {
  const texts = TEXTS.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name].trim()]]))
  return {
    ...Object.fromEntries(texts),
    ...(values.group !== undefined && { group: values.group.trim() || 'default' }),
    ...(values.priority !== undefined && { priority: channelPriority(values.priority.trim() || '0') }),
    ...(values.weight !== undefined && { weight: channelWeight(values.weight.trim() || '0') }),
  }
}
