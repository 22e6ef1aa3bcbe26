import { LOG_TYPE } from '../../../core/logs/log.ts'
import { defined } from '../../../core/records.ts'
import { pastTime, positiveInt } from '../../input/arguments.ts'
import { labelOf } from '../../input/enum-labels.ts'
import type { LogFilterOptions } from '../../input/log-filter.ts'
import type { FieldValues, FormField } from '../fields.ts'
import { Form } from '../form.tsx'
import { useUi } from '../ui-context.ts'

interface Props {
  filter: LogFilterOptions
  /** Whether the rows belong to one member of a team. These rows cannot be filtered by user or channel. */
  isOfMember: boolean
  onFilter(filter: LogFilterOptions): void
  onClose(): void
}

/** Form that edits a filter of log rows. */
export function LogFilterForm({ filter, isOfMember, onFilter, onClose }: Props) {
  const { t } = useUi()
  const types = Object.values(LOG_TYPE).map((type) => labelOf(LOG_TYPE, type))
  const since = filter.since === undefined ? '' : new Date(filter.since * 1000).toLocaleString('sv-SE')
  const allFields: FormField[] = [
    {
      kind: 'choice',
      name: 'type',
      label: t('ui.type'),
      initial: filter.type ?? '',
      choices: [{ value: '', label: t('ui.all') }, ...types.map((word) => ({ value: word, label: word }))],
    },
    { kind: 'text', name: 'user', label: t('ui.user'), initial: filter.user ?? '' },
    { kind: 'text', name: 'model', label: t('ui.model'), initial: filter.model ?? '', hint: t('ui.matchesAnyText') },
    { kind: 'text', name: 'token', label: t('ui.token'), initial: filter.token ?? '', hint: t('ui.fullName') },
    {
      kind: 'text',
      name: 'channel',
      label: t('ui.channel'),
      initial: String(filter.channel ?? ''),
      hint: t('ui.id'),
      check: positiveInt,
    },
    { kind: 'text', name: 'since', label: t('ui.since'), initial: since, hint: t('ui.timeExamples'), check: pastTime },
  ]
  const fields = isOfMember ? allFields.filter(({ name }) => name !== 'user' && name !== 'channel') : allFields

  async function submit(values: FieldValues): Promise<void> {
    const trimmed = Object.entries(values).map(([name, value]) => [name, value.trim()] as const)
    const { channel, since: from, ...texts } = Object.fromEntries(trimmed.filter(([, value]) => value !== ''))
    // The form has no fields for these filters.
    const { group, request, until } = filter
    onFilter({
      ...defined({ group, request, until }),
      ...texts,
      ...(channel !== undefined && { channel: positiveInt(channel) }),
      ...(from !== undefined && { since: pastTime(from) }),
    })
    onClose()
  }
  return <Form title={t('ui.filters')} fields={fields} submit={submit} onClose={onClose} />
}
