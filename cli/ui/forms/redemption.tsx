import { useState } from 'react'
import { randomHex } from '../../../core/secrets.ts'
import { type CodeRequest, createCodes } from '../../commands/redemption/batch.ts'
import { CommandError } from '../../errors.ts'
import { wholeNumber } from '../../input/arguments.ts'
import { useAmount } from '../amounts.ts'
import { useAppLifecycle } from '../app-lifecycle.ts'
import type { FieldValues, FormField } from '../fields.ts'
import { Form } from '../form.tsx'
import type { ListControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

const QUOTA_DEFAULT = 100_000
const COUNT_MAX = 10_000
const KEY_LENGTH = 12
const countOf = wholeNumber({ min: 1, max: COUNT_MAX })

/** Form that creates up to 10,000 codes, with a hundred codes per call. */
export function RedemptionForm({ list }: { list: ListControl }) {
  const { toolkit, actor, t, notify, reason } = useUi()
  const amount = useAmount({ min: 1 })
  const { leaving, finish } = useAppLifecycle()
  // With this idempotency key, retries by the form or by the command create no code twice.
  const [key] = useState(() => `ui-${randomHex(KEY_LENGTH)}`)
  const fields: FormField[] = [
    { name: 'name', label: t('ui.name'), initial: '', required: true, hint: t('ui.upTo20Characters') },
    {
      name: 'quota',
      label: t('ui.quota'),
      initial: String(QUOTA_DEFAULT),
      required: true,
      check: amount.read,
      hint: (value) => amount.hint(value) || t('ui.amountExamples'),
    },
    { name: 'count', label: t('ui.howMany'), initial: '1', required: true, check: countOf },
  ]

  async function submit(values: FieldValues, progress: (text: string) => void): Promise<void> {
    const [quota, count] = [amount.read(values.quota ?? ''), countOf((values.count ?? '').trim())]
    const batch = { name: (values.name ?? '').trim(), quota, count, key }
    let made = 0
    const showProgress = () => progress(t('ui.creatingCodes', { made, count, key }))
    const onCodes = (codes: readonly string[]) => {
      made += codes.length
      showProgress()
    }
    showProgress()
    const work = createCodes({ cli: { t, note: progress }, toolkit, actor }, batch, {
      signal: leaving,
      file: undefined,
      onCodes,
    })
    finish(
      work.then(
        () => notes({ ...batch, made }),
        () => notes({ ...batch, made }),
      ),
    )
    try {
      await work
    } catch (error) {
      list.reload()
      if (made === 0) throw error
      throw new CommandError('DECLINED', t('ui.createdOfCodes', { made, count, reason: reason(error) }))
    }
    notify(t('ui.createdCodes', { count: made, key }), 'good')
    list.close()
    list.reload()
  }

  /** Returns lines to print if the user has exited before all codes were created, because codes are worth money. */
  function notes({ name, quota, count, made }: CodeRequest & { made: number }): readonly string[] {
    const quoted = `'${name.replaceAll("'", "'\\''")}'`
    const command = `tollgate redemption create --name ${quoted} --quota ${quota} --count ${count} --idempotency-key ${key} --output codes.txt`
    const done = t('ui.createdOfCodesNamed', { made, count, name })
    const hint = t('ui.toSeeThem', { command: `tollgate redemption list --name ${quoted}` })
    return [done, hint, made < count ? t('ui.toCreateTheRest', { command }) : t('ui.toWriteThemToAFile', { command })]
  }
  return <Form title={t('ui.newCodes')} fields={fields} submit={submit} onClose={list.close} />
}
