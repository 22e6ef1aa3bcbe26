import type { FormInstance } from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveQuestion } from '../leave-question.tsx'

interface Options<Values extends object> {
  visible: boolean
  form: FormInstance<Values>
  initialValues: Partial<Values> | undefined
  /** Rejects when it failed, and has said so. */
  onSubmit: (values: Values) => Promise<unknown>
  onClose: () => void
}

interface FormWindow<Values> {
  /** For the form, and for `form` of the button that submits it. */
  id: string
  /** The fields are inert then: what is typed on the way would be lost when the window closes. */
  busy: boolean
  submit: (values: Values) => Promise<void>
  /** Tell of every change of the fields. */
  touch: () => void
  /** Whether something would be lost if it closed now. */
  isTyped: () => boolean
  /** Closes, or asks first when something would be lost. */
  close: () => void
  /** To be rendered beside the window. */
  question: ReactNode
}

/** What a drawer and a dialog with a form have in common: they submit once, and lose nothing that was typed unasked. */
export function useFormWindow<Values extends object>({
  visible,
  form,
  initialValues,
  onSubmit,
  onClose,
}: Options<Values>): FormWindow<Values> {
  const { t } = useTranslation()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const touched = useRef(false)
  // The fields are checked before it is busy: a second Enter may come in between.
  const saving = useRef(false)
  const open = useRef(visible)
  // The window may be closed while it saves, and be open for something else when that is done.
  const opening = useRef(0)

  useEffect(() => {
    open.current = visible
    opening.current++
    saving.current = false
    if (visible) touched.current = false
    else setAsking(false)
    setBusy(false)
  }, [visible])

  // What is inert loses the focus: meanwhile the button has it, and Escape goes on to close.
  const field = useRef<HTMLElement>(undefined)
  useLayoutEffect(() => {
    if (busy) {
      const focused = document.activeElement
      if (!(focused instanceof HTMLElement) || focused.closest('form')?.id !== id) return
      field.current = focused
      document.querySelector<HTMLElement>(`button[form="${id}"]`)?.focus()
    } else {
      if (open.current) field.current?.focus()
      field.current = undefined
    }
  }, [busy, id])

  async function submit(values: Values) {
    if (!open.current) return // while it goes, its button can still be pressed
    if (saving.current) {
      Message.error(t('form.submittedTwice'))
      return
    }
    saving.current = true
    setBusy(true)
    const mine = opening.current
    const isOpen = () => opening.current === mine
    try {
      await onSubmit(values)
    } catch {
      // The one that failed has said so; what was typed stays.
      if (isOpen()) {
        saving.current = false
        setBusy(false)
      }
      return
    }
    // It stays busy until it has gone, lest the same be submitted once more.
    if (isOpen()) onClose()
  }

  const isTyped = () => !saving.current && touched.current && differs(form.getFieldsValue(), initialValues)

  function leave() {
    touched.current = false
    onClose()
  }

  return {
    id,
    busy,
    submit,
    touch: () => {
      touched.current = true
    },
    isTyped,
    close() {
      if (isTyped()) setAsking(true)
      else onClose()
    },
    question: <LeaveQuestion visible={asking} onLeave={leave} onStay={() => setAsking(false)} />,
  }
}

/** Whether some field has another value than it began with. A field that was emptied again is as one never filled. */
function differs<Values extends object>(values: Partial<Values>, initial: Partial<Values> = {}): boolean {
  const began = new Map(Object.entries(initial))
  return Object.entries(values).some(([name, value]) => textOf(value) !== textOf(began.get(name)))
}

const textOf = (value: unknown): string => JSON.stringify(value === '' ? undefined : value) ?? ''
