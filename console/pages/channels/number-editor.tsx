import InputNumber from '@arco-design/web-react/es/InputNumber'
import { type ComponentRef, useRef, useState } from 'react'
import { WHOLE_MAX } from '../../api/channels.ts'

interface Props {
  /** Undefined where there is no one value. */
  value: number | undefined
  min: number
  label: string
  placeholder?: string
  onSave: (value: number) => void
}

/** A number that is saved by Enter, or when it is left. What is empty or no number is put back. */
export function NumberEditor({ value, min, label, placeholder = '', onSave }: Props) {
  const input = useRef<ComponentRef<typeof InputNumber>>(null)
  /** What is being typed; outside of that the value is shown, which is the new one as soon as it is to be saved. */
  const [draft, setDraft] = useState<{ number: number | undefined }>()

  function save() {
    setDraft(undefined)
    const typed = draft?.number
    if (typed === undefined || !Number.isFinite(typed)) return
    const number = Math.max(Math.trunc(typed), min)
    if (number !== value) onSave(number)
  }

  function onKeyDown(event: Event) {
    if (!('key' in event) || event.key !== 'Enter') return
    event.preventDefault() // else it would also press what gets the focus: the button of a question
    // Arco shows what was typed until it is left, even when that was refused.
    input.current?.blur()
    input.current?.focus()
  }

  return (
    <InputNumber
      ref={input}
      className="number-editor"
      size="mini"
      value={(draft ? draft.number : value) as number}
      min={min}
      max={WHOLE_MAX}
      precision={0}
      placeholder={placeholder}
      aria-label={label}
      onChange={(number: number | undefined) => setDraft({ number })}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  )
}
