import { LOG_TYPE } from '../../../core/logs/log.ts'
import { pastTime, positiveInt } from '../../input/arguments.ts'
import { labelOf } from '../../input/enum-labels.ts'
import type { LogFilterOptions } from '../../input/log-filter.ts'
import type { Field, Values } from '../fields.ts'
import { Form } from '../form.tsx'
import { useUi } from '../ui-context.ts'

interface Props {
  filter: LogFilterOptions
  onFilter(filter: LogFilterOptions): void
  onClose(): void
}

/** Filter of log rows. */
export function LogFilterForm({ filter, onFilter, onClose }: Props) {
  const { text } = useUi()
  const types = Object.values(LOG_TYPE).map((type) => labelOf(LOG_TYPE, type))
  const since = filter.since === undefined ? '' : new Date(filter.since * 1000).toLocaleString('sv-SE')
  const fields: Field[] = [
    {
      kind: 'choice',
      name: 'type',
      label: text('Type'),
      initial: filter.type ?? '',
      choices: [{ value: '', label: text('all') }, ...types.map((word) => ({ value: word, label: word }))],
    },
    { kind: 'text', name: 'user', label: text('User'), initial: filter.user ?? '' },
    {
      kind: 'text',
      name: 'model',
      label: text('Model'),
      initial: filter.model ?? '',
      hint: text('% matches any text'),
    },
    { kind: 'text', name: 'token', label: text('Token'), initial: filter.token ?? '', hint: text('full name') },
    {
      kind: 'text',
      name: 'channel',
      label: text('Channel'),
      initial: String(filter.channel ?? ''),
      hint: text('ID'),
      check: positiveInt,
    },
    {
      kind: 'text',
      name: 'since',
      label: text('Since'),
      initial: since,
      hint: text('1h, 7d or 2026-01-31'),
      check: pastTime,
    },
  ]

  async function submit(values: Values): Promise<void> {
    const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]))
    const { type, user, model, token, channel, since: from } = given
    onFilter({
      ...(type && { type }),
      ...(user && { user }),
      ...(model && { model }),
      ...(token && { token }),
      ...(channel && { channel: positiveInt(channel) }),
      ...(from && { since: pastTime(from) }),
    })
    onClose()
  }
  return <Form title={text('Filters')} fields={fields} submit={submit} onClose={onClose} />
}
