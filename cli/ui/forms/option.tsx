import { findOption } from '../../../core/options/registry.ts'
import type { OptionRow } from '../../columns/option.ts'
import { cutTo } from '../../output/display-width.ts'
import { type FieldValues, type FormField, yesNo } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'
import { useUnchanged } from './unchanged.ts'

const HINT_MAX = 40

/** Form that edits one option. Core validates the value. */
export function OptionForm({ row, list }: { row: OptionRow; list: ListControl }) {
  const { toolkit, actor, t, notify } = useUi()
  const { key, value, type, description } = row
  const secret = findOption(key)?.secret === true
  const checkUnchanged = useUnchanged(value)
  const defaultText = cutTo(row.default || t('ui.emptyValue'), HINT_MAX)
  const field: FormField =
    type === 'boolean'
      ? yesNo({ name: 'value', label: key, initial: value === 'true', t })
      : {
          kind: secret ? 'secret' : 'text',
          name: 'value',
          lines: true,
          label: key,
          initial: secret ? '' : value,
          hint: secret ? t('ui.neverShown') : t('ui.default', { value: defaultText }),
        }

  async function submit(values: FieldValues): Promise<void> {
    if (!secret) checkUnchanged(await toolkit.options.read(actor, key))
    await toolkit.options.set(actor, key, values.value ?? '')
    notify(t('ui.saved', { key }), 'good')
    list.close()
    list.reload()
  }
  return <Form title={description} existing fields={[field]} submit={submit} onClose={list.close} />
}
