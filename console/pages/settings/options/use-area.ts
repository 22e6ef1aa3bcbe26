import Message from '@arco-design/web-react/es/Message'
import { useQueryClient } from '@tanstack/react-query'
import type { i18n, TFunction } from 'i18next'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText, isSignedOut } from '../../../api/failure.ts'
import type { OptionTexts } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import type { OptionField, SettingsArea } from './area.ts'
import { namedMessage, optionLabelOf } from './option-names.ts'
import { fieldTextOf, isChanged, optionProblemOf, storedText } from './option-texts.ts'
import { type OptionEdit, type SaveResult, saveOptions } from './save-options.ts'
import { OPTION_KEY } from './use-options.ts'

export interface AreaForm {
  /** The field's current text. */
  text: (field: OptionField) => string
  /** The field's current error. */
  problem: (field: OptionField) => string | undefined
  change: (field: OptionField, text: string) => void
  /** Whether a secret has a value; `undefined` if unknown. */
  isFilled: (field: OptionField) => boolean | undefined
  /** Validates the field. Must be called when the field loses the focus. */
  check: (field: OptionField) => void
  dirty: boolean
  discard: () => void
  save: () => Promise<void>
  saving: boolean
}

type Texts = Readonly<Record<string, string>>

/**
 * The unsaved changes of an area. Unchanged fields show the server's current values. A field that the user has changed
 * back counts as unchanged.
 */
export function useArea(
  { fields, refuse }: SettingsArea,
  stored: OptionTexts,
  secrets: ReadonlySet<string> | undefined,
): AreaForm {
  const { t, i18n } = useTranslation()
  const confirm = useConfirm()
  const [saving, setSaving] = useState(false)
  const { drafts, text, edit, problems, setProblems, previousOf, discard, apply } = useDrafts(fields, stored, saving)

  function change(field: OptionField, value: string) {
    const missing = value === 'true' && field.needs?.keys.some((key) => isEmpty(key))
    if (missing) Message.error(field.needs?.problem(t) ?? '')
    else if (value === 'false' && field.offQuestion) {
      confirm({ ...field.offQuestion(t), danger: true, onOk: () => edit(field, value) })
    } else edit(field, value)
  }

  function isEmpty(key: string): boolean {
    const field = fields.find((field) => field.key === key)
    if (!field || !/^[\s,]*$/.test(text(field))) return false
    return field.kind !== 'secret' || isFilled(field) === false
  }

  const isFilled = ({ key }: OptionField) => secrets?.has(key)

  /** Returns the error text of a field; undefined if the text is valid. */
  function problemNow(field: OptionField): string | undefined {
    const problem = optionProblemOf(field, text(field))
    if (problem === 'json') return field.badJson?.(t) ?? t('option.badJson')
    return problem && t('option.badNumber')
  }

  /** Returns the error for an empty option that an enabled switch requires. The server checks only single options. */
  function requirementProblem({ key }: OptionField): string | undefined {
    if (!isEmpty(key)) return undefined
    const enabled = fields.filter((field) => text(field) === 'true')
    return enabled.find(({ needs }) => needs?.keys.some((needed) => needed === key))?.needs?.problem(t)
  }

  function check(field: OptionField) {
    const problem = problemNow(field)
    if (problem) setProblems((problems) => ({ ...problems, [field.key]: problem }))
  }

  async function save() {
    const problem = refuse?.(stored, t)
    if (problem) return void Message.error(problem)
    const editedFields = fields.filter((field) => drafts[field.key] !== undefined)
    const invalidFields = editedFields.flatMap((field) => {
      const problem = problemNow(field) ?? requirementProblem(field)
      return problem ? [{ field, problem }] : []
    })
    if (invalidFields.length > 0) {
      setProblems(Object.fromEntries(invalidFields.map(({ field, problem }) => [field.key, problem])))
      scrollToOption(invalidFields[0]?.field.key)
      return void Message.error(invalidFields.find(({ field }) => field.badJson)?.problem ?? t('action.checkInput'))
    }
    const changes = editedFields
      .filter((field) => isChanged(field, text(field), stored))
      .map((field) => ({ field, text: storedText(field, text(field)), previous: previousOf(field) }))
    if (changes.length === 0) {
      discard()
      return void Message.warning(t('action.nothingChanged'))
    }
    setSaving(true)
    const result = withLabels(t, i18n, await saveOptions(changes))
    await apply(result)
    setSaving(false)
    showResult(t, result, changes)
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

/** The texts that differ from the stored values, and their errors. */
function useDrafts(fields: readonly OptionField[], stored: OptionTexts, saving: boolean) {
  const queryClient = useQueryClient()
  const [drafts, setDrafts] = useState<Texts>({})
  const [problems, setProblems] = useState<Texts>({})
  /** The stored values when the user began to edit, by option key. Another tab may save other values meanwhile. */
  const initialTexts = useRef(new Map<string, string>())

  const text = (field: OptionField) => drafts[field.key] ?? fieldTextOf(field, stored)

  function edit(field: OptionField, value: string) {
    // While saving, a value that is changed back is also a change, because the save will replace the stored value.
    const isUnchanged = !saving && value === fieldTextOf(field, stored)
    if (isUnchanged) initialTexts.current.delete(field.key)
    else if (!initialTexts.current.has(field.key)) initialTexts.current.set(field.key, stored[field.key] ?? '')
    setDrafts((drafts) => (isUnchanged ? without(drafts, [field.key]) : { ...drafts, [field.key]: value }))
    setProblems((problems) => without(problems, [field.key]))
  }

  const previousOf = ({ key, kind }: OptionField) => (kind === 'secret' ? undefined : initialTexts.current.get(key))

  function discard() {
    initialTexts.current.clear()
    setDrafts({})
    setProblems({})
  }

  /** Applies the result of a save. Saved values become stored values. Rejected and newer input remains. */
  async function apply({ saved, rejected, conflicts }: SaveResult) {
    for (const { field } of saved) initialTexts.current.delete(field.key)
    if (conflicts.size > 0) await reloadConflicts(conflicts)
    const reported = saved.filter(({ field }) => field.kind !== 'secret')
    const savedTexts = Object.fromEntries(reported.map(({ field, text }) => [field.key, text]))
    queryClient.setQueryData<OptionTexts>([OPTION_KEY], (texts) => ({ ...texts, ...savedTexts }))
    const keys = saved.map(({ field }) => field.key)
    const isSettled = (field: OptionField, draft: string | undefined) =>
      (keys.includes(field.key) && draft === drafts[field.key]) ||
      draft === fieldTextOf(field, { ...stored, ...savedTexts })
    setDrafts((now) =>
      without(
        now,
        fields.filter((field) => isSettled(field, now[field.key])).map(({ key }) => key),
      ),
    )
    setProblems((problems) => ({ ...without(problems, keys), ...Object.fromEntries(rejected) }))
    // Almost all data, such as prices, groups and the status, may depend on an option.
    if (saved.length > 0) await queryClient.invalidateQueries()
  }

  /** Loads the values that another user has saved, so that the next save overwrites them without a conflict. */
  async function reloadConflicts(keys: ReadonlySet<string>) {
    await queryClient.refetchQueries({ queryKey: [OPTION_KEY], exact: true })
    const texts = queryClient.getQueryData<OptionTexts>([OPTION_KEY])
    for (const key of keys) initialTexts.current.set(key, texts?.[key] ?? '')
  }

  return { drafts, text, edit, problems, setProblems, previousOf, discard, apply }
}

/** Replaces option keys in the server's messages by the labels that users know. */
function withLabels(t: TFunction, i18n: i18n, result: SaveResult): SaveResult {
  const rejected = Array.from(result.rejected, ([key, message]) => {
    const label = optionLabelOf(t, i18n, key)
    const text = result.conflicts.has(key) ? t('option.conflict', { label }) : namedMessage(message, key, label)
    return [key, text] as const
  })
  return { ...result, rejected: new Map(rejected) }
}

function showResult(t: TFunction, { saved, rejected, stopError }: SaveResult, changes: readonly OptionEdit[]) {
  if (saved.length === changes.length) return void Message.success(t('action.saved'))
  if (isSignedOut(stopError)) return
  const firstRejected = changes.find(({ field }) => rejected.has(field.key))
  scrollToOption(firstRejected?.field.key)
  if (saved.length > 0) Message.error(t('option.someFailed'))
  else if (stopError || changes.length > 1) Message.error(t('option.failed'))
  if (firstRejected) Message.error(rejectionText(t, firstRejected, rejected))
  if (stopError) Message.error(failureText(t, stopError))
}

/** Returns the error of a rejected option; for a switch with requirements, the error for missing requirements. */
function rejectionText(t: TFunction, { field, text }: OptionEdit, rejected: SaveResult['rejected']): string {
  const missing = text === 'true' && field.needs?.problem(t)
  return missing || rejected.get(field.key) || t('option.failed')
}

function without(texts: Texts, keys: readonly string[]): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key)))
}

/** Scrolls to an option's field. */
function scrollToOption(key: string | undefined): void {
  if (key !== undefined) document.getElementById(`option-${key}`)?.scrollIntoView({ block: 'center' })
}
