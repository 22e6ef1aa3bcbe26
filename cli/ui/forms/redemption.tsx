import { QUOTA_MAX } from '../../../core/input.ts'
import { CODES_PER_CALL } from '../../../core/redemption/redemption.ts'
import { wholeNumber } from '../../arguments.ts'
import { useDesk } from '../desk.ts'
import type { Field, Values } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'

const QUOTA_DEFAULT = 100_000
const COUNT_MAX = 10_000
const quotaOf = wholeNumber({ min: 1, max: QUOTA_MAX })
const countOf = wholeNumber({ min: 1, max: COUNT_MAX })

/** New codes: as many as are wanted, a hundred with each call. */
export function RedemptionForm({ list }: { list: ListControl }) {
  const { toolkit, actor, say, text, format, tell, reason } = useDesk()
  const fields: Field[] = [
    { kind: 'text', name: 'name', label: text('Name'), initial: '', required: true, hint: text('up to 20 characters') },
    {
      kind: 'text',
      name: 'quota',
      label: text('Quota'),
      initial: String(QUOTA_DEFAULT),
      required: true,
      check: quotaOf,
      hint: (value) => (/^\d+$/.test(value) ? `= ${format.money(Number(value))}` : ''),
    },
    { kind: 'text', name: 'count', label: text('How many'), initial: '1', required: true, check: countOf },
  ]

  async function submit(values: Values, progress: (text: string) => void): Promise<void> {
    const [quota, count] = [quotaOf((values.quota ?? '').trim()), countOf((values.count ?? '').trim())]
    let made = 0
    try {
      while (made < count) {
        progress(say`Making codes: ${made} of ${count} …`)
        const some = Math.min(CODES_PER_CALL, count - made)
        made += (await toolkit.redemption.create(actor, { name: values.name ?? '', quota, count: some })).length
      }
    } catch (error) {
      // Nothing was made: the form can be mended. Else those that were made are there, and sending it again would make them twice.
      if (made === 0) throw error
      tell(say`Made ${made} of ${count} codes, then: ${reason(error)}`, 'bad')
      list.close()
      return list.reload()
    }
    tell(say`Made ${made} codes.`, 'good')
    list.close()
    list.reload()
  }
  return <Form title={text('New codes')} fields={fields} submit={submit} onClose={list.close} />
}
