import Message from '@arco-design/web-react/es/Message'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText, isSignedOut } from '../../../api/failure.ts'
import type { OptionTexts } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import type { Area, OptionField } from './area.ts'
import { labelOf, namedMessage } from './option-names.ts'
import { isChanged, problemOf, sentText, shownText } from './option-texts.ts'
import { type OptionChange, type SaveResult, saveOptions } from './save-options.ts'
import { OPTION_KEY } from './use-options.ts'

export interface AreaForm {
  /** The field's current text. */
  text: (field: OptionField) => string
  problem: (field: OptionField) => string | undefined
  change: (field: OptionField, text: string) => void
  /** Whether a secret has a value; `undefined` if unknown. */
  isFilled: (field: OptionField) => boolean | undefined
  /** Called on blur. */
  check: (field: OptionField) => void
  dirty: boolean
  discard: () => void
  save: () => Promise<void>
  saving: boolean
}

type Texts = Readonly<Record<string, string>>

/** The unsaved changes of an area. Untouched fields follow the server, and a field changed back counts as untouched. */
export function useArea(
  { fields, refuse }: Area,
  stored: OptionTexts,
  secrets: ReadonlySet<string> | undefined,
): AreaForm {
  const { t, i18n } = useTranslation()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const [drafts, setDrafts] = useState<Texts>({})
  const [problems, setProblems] = useState<Texts>({})
  const [saving, setSaving] = useState(false)
  /** Stored values when editing began: another tab may save meanwhile. */
  const begun = useRef(new Map<string, string>())

  const text = (field: OptionField) => drafts[field.key] ?? shownText(field, stored)

  function put(field: OptionField, value: string) {
    // While saving, changing a value back is a change too, because the save will replace the stored value.
    const untouched = !saving && value === shownText(field, stored)
    if (untouched) begun.current.delete(field.key)
    else if (!begun.current.has(field.key)) begun.current.set(field.key, stored[field.key] ?? '')
    setDrafts((drafts) => (untouched ? without(drafts, [field.key]) : { ...drafts, [field.key]: value }))
    setProblems((problems) => without(problems, [field.key]))
  }

  function change(field: OptionField, value: string) {
    const missing = value === 'true' && field.needs?.keys.some((key) => isEmpty(key))
    if (missing) Message.error(field.needs?.problem(t) ?? '')
    else if (value === 'false' && field.offQuestion) {
      confirm({ ...field.offQuestion(t), danger: true, onOk: () => put(field, value) })
    } else put(field, value)
  }

  function isEmpty(key: string): boolean {
    const field = fields.find((field) => field.key === key)
    if (!field || !/^[\s,]*$/.test(text(field))) return false
    return field.kind !== 'secret' || isFilled(field) === false
  }

  const isFilled = ({ key }: OptionField) => secrets?.has(key)

  /** Returns the error text; `undefined` if valid. */
  function problemNow(field: OptionField): string | undefined {
    const problem = problemOf(field, text(field))
    if (problem === 'json') return field.badJson?.(t) ?? t('option.badJson')
    return problem && t('option.badNumber')
  }

  /** Returns the error if an enabled switch requires this empty option: the server saves each option by itself. */
  function stillNeeded({ key }: OptionField): string | undefined {
    if (!isEmpty(key)) return undefined
    const resting = fields.filter((field) => text(field) === 'true')
    return resting.find(({ needs }) => needs?.keys.some((needed) => needed === key))?.needs?.problem(t)
  }

  function check(field: OptionField) {
    const problem = problemNow(field)
    if (problem) setProblems((problems) => ({ ...problems, [field.key]: problem }))
  }

  async function save() {
    const refusal = refuse?.(stored, t)
    if (refusal) return void Message.error(refusal)
    const touched = fields.filter((field) => drafts[field.key] !== undefined)
    const wrong = touched.flatMap((field) => {
      const problem = problemNow(field) ?? stillNeeded(field)
      return problem ? [{ field, problem }] : []
    })
    if (wrong.length > 0) {
      setProblems(Object.fromEntries(wrong.map(({ field, problem }) => [field.key, problem])))
      lead(wrong[0]?.field.key)
      return void Message.error(wrong.find(({ field }) => field.badJson)?.problem ?? t('action.checkInput'))
    }
    const changes = touched
      .filter((field) => isChanged(field, text(field), stored))
      .map((field) => ({ field, text: sentText(field, text(field)), was: wasOf(field) }))
    if (changes.length === 0) {
      discard()
      return void Message.warning(t('action.nothingChanged'))
    }
    setSaving(true)
    const result = named(await saveOptions(changes))
    await show(result)
    setSaving(false)
    tell(result, changes)
  }

  const wasOf = ({ key, kind }: OptionField) => (kind === 'secret' ? undefined : begun.current.get(key))

  /** Server messages contain keys; users know the options by their labels. */
  function named(result: SaveResult): SaveResult {
    const refused = Array.from(result.refused, ([key, message]) => {
      const label = labelOf(t, i18n, key)
      const text = result.conflicts.has(key) ? t('option.conflict', { label }) : namedMessage(message, key, label)
      return [key, text] as const
    })
    return { ...result, refused: new Map(refused) }
  }

  function discard() {
    begun.current.clear()
    setDrafts({})
    setProblems({})
  }

  /** Saved values become the stored ones; rejected or newer input stays in the fields. */
  async function show({ saved, refused, conflicts }: SaveResult) {
    for (const { field } of saved) begun.current.delete(field.key)
    if (conflicts.size > 0) await followOthers(conflicts)
    const told = saved.filter(({ field }) => field.kind !== 'secret')
    const news = Object.fromEntries(told.map(({ field, text }) => [field.key, text]))
    queryClient.setQueryData<OptionTexts>([OPTION_KEY], (texts) => ({ ...texts, ...news }))
    const keys = saved.map(({ field }) => field.key)
    const isSettled = (field: OptionField, draft: string | undefined) =>
      (keys.includes(field.key) && draft === drafts[field.key]) || draft === shownText(field, { ...stored, ...news })
    setDrafts((now) =>
      without(
        now,
        fields.filter((field) => isSettled(field, now[field.key])).map(({ key }) => key),
      ),
    )
    setProblems((problems) => ({ ...without(problems, keys), ...Object.fromEntries(refused) }))
    // Almost any data may depend on an option: prices, groups, pages and the status.
    if (saved.length > 0) await queryClient.invalidateQueries()
  }

  /** Loads the values that another user has saved. A second save then overwrites them deliberately. */
  async function followOthers(keys: ReadonlySet<string>) {
    await queryClient.refetchQueries({ queryKey: [OPTION_KEY], exact: true })
    const texts = queryClient.getQueryData<OptionTexts>([OPTION_KEY])
    for (const key of keys) begun.current.set(key, texts?.[key] ?? '')
  }

  function tell({ saved, refused, broken }: SaveResult, changes: readonly OptionChange[]) {
    if (saved.length === changes.length) return void Message.success(t('action.saved'))
    if (isSignedOut(broken)) return
    const first = changes.find(({ field }) => refused.has(field.key))
    lead(first?.field.key)
    if (saved.length > 0) Message.error(t('option.someFailed'))
    else if (broken || changes.length > 1) Message.error(t('option.failed'))
    if (first) Message.error(refusalOf(first, refused))
    if (broken) Message.error(failureText(t, broken))
  }

  /** Returns the error of a rejected option: for a switch, the same text as when its requirements are missing here. */
  function refusalOf({ field, text }: OptionChange, refused: SaveResult['refused']): string {
    const unprepared = text === 'true' && field.needs?.problem(t)
    return unprepared || refused.get(field.key) || t('option.failed')
  }

  return {
    text,
    problem: ({ key }) => problems[key],
    change,
    isFilled,
    check,
    dirty: Object.keys(drafts).length > 0,
    discard,
    save,
    saving,
  }
}

function without(texts: Texts, keys: readonly string[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key)))
}

/** Scrolls to an option's field. */
function lead(key: string | undefined): void {
  if (key !== undefined) document.getElementById(`option-${key}`)?.scrollIntoView({ block: 'center' })
}
