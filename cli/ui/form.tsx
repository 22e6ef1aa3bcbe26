import { Text } from 'ink'
import { useState } from 'react'
import { GatewayError } from '../../core/errors.ts'
import { displayWidth, wrapped } from '../output/display-width.ts'
import { sanitizeName } from '../output/sanitize.ts'
import { useAppLifecycle } from './app-lifecycle.ts'
import type { KeyBinding } from './bindings.ts'
import { FieldLine } from './field-line.tsx'
import { type FieldValues, type FormField, faultsOf, matching } from './fields.ts'
import { Frame, useBody } from './frame.tsx'
import { LAYER, type Press, useKeys } from './keys.tsx'
import { type EditedLine, edited, editedLineOf } from './line-editor.ts'
import { paint, useUi } from './ui-context.ts'

interface Props {
  title: string
  fields: readonly FormField[]
  /**
   * Whether an existing record is edited. `submit` then gets only the changed fields. If nothing has changed, the form
   * closes without a call of `submit`.
   */
  existing?: boolean
  /** Saves the form. If `submit` throws, the form shows the error and stays open. `progress` shows a status text. */
  submit(values: FieldValues, progress: (text: string) => void): Promise<void>
  onClose(): void
}

/** A form that a list screen opens. While it is open, the list gets no keys. */
export function Form({ title, fields, existing = false, submit, onClose }: Props) {
  const ui = useUi()
  const lifecycle = useAppLifecycle()
  const { t, color } = ui
  const { width, height } = useBody()
  const [at, setAt] = useState(0)
  const [lines, setLines] = useState<Record<string, EditedLine>>(() =>
    Object.fromEntries(fields.map(({ name, initial }) => [name, editedLineOf(initial)])),
  )
  const [initialValues] = useState<FieldValues>(() =>
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial])),
  )
  const [typed, setTyped] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState('')
  const [working, setWorking] = useState('')

  const values = Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, line.text]))
  const changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== initialValues[name]))
  const changed = Object.keys(changes).length > 0
  const field = fields[at]
  const canEditOutside =
    field !== undefined && field.kind !== 'choice' && field.kind !== 'secret' && field.lines === true

  const moveTo = (to: number) => {
    setTyped('')
    setAt((to + fields.length) % fields.length)
  }
  const write = (line: EditedLine) => {
    if (!field) return
    setLines({ ...lines, [field.name]: line })
    const { [field.name]: _, ...others } = faults
    setFaults(others)
  }
  function fail(newFaults: Record<string, string>): void {
    setFaults(newFaults)
    const first = fields.findIndex(({ name }) => newFaults[name] !== undefined)
    if (first >= 0) setAt(first)
  }
  function send(): void {
    const newFaults = faultsOf(fields, values, ui)
    setFailure('')
    fail(newFaults)
    if (Object.keys(newFaults).length > 0) return
    if (existing && !changed) {
      ui.notify(t('ui.nothingWasChanged'))
      onClose()
      return
    }
    setWorking(t('ui.saving'))
    submit(existing ? changes : values, setWorking)
      .catch((error: unknown) => {
        const fieldName = error instanceof GatewayError ? String(error.params.field ?? '') : ''
        if (fields.some(({ name }) => name === fieldName)) fail({ [fieldName]: ui.reason(error) })
        else setFailure(ui.reason(error))
      })
      .finally(() => setWorking(''))
  }
  function editOutside(value: string): void {
    setFailure('')
    setWorking(t('ui.editing'))
    lifecycle
      .edit(value)
      .then((edited) => edited !== value && write(editedLineOf(edited)))
      .catch((error: unknown) => setFailure(ui.reason(error)))
      .finally(() => setWorking(''))
  }
  const close = () => (changed ? ui.confirm(t('ui.closeTheFormWithoutSaving'), onClose) : onClose())

  function choose({ name, text: letters }: Press): boolean {
    if (field?.kind !== 'choice') return false
    const step = name === 'left' ? -1 : name === 'right' || name === ' ' ? 1 : 0
    if (step === 0 && letters === '' && name !== 'backspace') return false
    const word = step !== 0 ? typed : name === 'backspace' ? typed.slice(0, -1) : typed + letters
    const matches = matching(field.choices, word)
    // Ignores typed text that matches no choice, except `q`, which asks whether to quit.
    if (matches.length === 0) {
      if (word === 'q') ui.confirm(t('ui.quitWithoutSaving'), () => ui.exit())
      return true
    }
    setTyped(word)
    const now = matches.findIndex(({ value }) => value === values[field.name])
    const next = step === 0 && now >= 0 ? now : step === 0 ? 0 : (now + step + matches.length) % matches.length
    write(editedLineOf(matches[next]?.value ?? ''))
    return true
  }

  useKeys(
    LAYER.over,
    (press) => {
      if (working !== '') return true
      const { name } = press
      if (name === 'escape') close()
      else if (name === 'ctrl-s' || (name === 'enter' && at === fields.length - 1)) send()
      else if (name === 'enter' || name === 'tab' || name === 'down') moveTo(at + 1)
      else if (name === 'shift-tab' || name === 'up') moveTo(at - 1)
      else if (name === 'ctrl-o' && canEditOutside) editOutside(values[field.name] ?? '')
      else if (!choose(press) && field && lines[field.name]) {
        const line = edited(lines[field.name] ?? editedLineOf(''), press, {
          lines: field.kind !== 'choice' && field.lines,
        })
        if (line) write(line)
      }
      return true
    },
    { text: true },
  )

  const bindings: readonly KeyBinding[] = [
    { keys: [], shown: 'Tab ↑↓', label: t('ui.nextOrPreviousField'), run: () => {} },
    { keys: [], shown: 'Ctrl-S', label: t('ui.save'), run: () => {} },
    { keys: [], shown: 'Esc', label: t('ui.close'), run: () => {} },
    ...(canEditOutside ? [{ keys: [], shown: 'Ctrl-O', label: t('ui.editKey'), run: () => {} }] : []),
    ...(field?.kind === 'choice' ? [{ keys: [], shown: '←→', label: t('ui.chooseOrTypeAName'), run: () => {} }] : []),
  ]
  const labelWidth = Math.max(...fields.map(({ label }) => displayWidth(label))) + 4
  const status = wrapped(sanitizeName(working || failure || (field && faults[field.name]) || ''), width - 2)
  const visibleCount = Math.max(1, height - 2 - status.length)
  const from = Math.max(0, Math.min(at - visibleCount + 1, fields.length - visibleCount))
  return (
    <Frame title={title} bindings={bindings} alone>
      {fields.slice(from, from + visibleCount).map((each, i) => (
        <FieldLine
          key={each.name}
          field={each}
          line={lines[each.name] ?? editedLineOf('')}
          focused={from + i === at}
          faulty={faults[each.name] !== undefined}
          typed={typed}
          labelWidth={labelWidth}
          width={width}
        />
      ))}
      <Text> </Text>
      <Text {...(working ? {} : paint('bad', color))}>{status.map((line) => ` ${line}`).join('\n')}</Text>
    </Frame>
  )
}
