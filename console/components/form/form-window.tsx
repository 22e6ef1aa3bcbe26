import type { FormInstance } from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveQuestion } from '../leave-question.tsx'

interface Options<Values extends object> {
  visible: boolean
  form: FormInstance<Values>
  initialValues: Partial<Values> | undefined
  /** Rejects after reporting its own error. */
  onSubmit: (values: Values) => Promise<unknown>
  onClose: () => void
}

interface FormWindow<Values> {
  /** The form's id, also for the `form` attribute of the submit button. */
  id: string
  /** Disables the fields while saving: later input would be lost when the window closes. */
  busy: boolean
  submit: (values: Values) => Promise<void>
  /** Must be called on every field change. */
  touch: () => void
  /** Whether closing now would lose input. */
  isEdited: () => boolean
  /** Closes, or asks first if input would be lost. */
  close: () => void
  /** Render this next to the window. */
  question: ReactNode
}

/** Shared logic of drawers and dialogs with a form: they submit once, and ask before discarding input. */
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
  // Validation runs before `busy` is set, so a second Enter is possible meanwhile.
  const saving = useRef(false)
  const open = useRef(visible)
  // The window may be closed and reopened for another record while saving.
  const opening = useRef(0)

  useEffect(() => {
    open.current = visible
    opening.current++
    saving.current = false
    if (visible) touched.current = false
    else setAsking(false)
    setBusy(false)
  }, [visible])

  // Disabled fields lose the focus: meanwhile focus the button, so that Escape still closes.
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
    if (!open.current) return // the button still works during the closing animation
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
      // `onSubmit` has reported the error; the input stays.
      if (isOpen()) {
        saving.current = false
        setBusy(false)
      }
      return
    }
    // Stays busy until closed, to prevent a second submission.
    if (isOpen()) onClose()
  }

  const isEdited = () => !saving.current && touched.current && differs(form.getFieldsValue(), initialValues)

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
    isEdited,
    close() {
      if (isEdited()) setAsking(true)
      else onClose()
    },
    question: <LeaveQuestion visible={asking} onLeave={leave} onStay={() => setAsking(false)} />,
  }
}

/** Whether a field differs from its initial value. Empty text equals an unset field. */
function differs<Values extends object>(values: Partial<Values>, initial: Partial<Values> = {}): boolean {
  const initialEntries = new Map(Object.entries(initial))
  return Object.entries(values).some(([name, value]) => textOf(value) !== textOf(initialEntries.get(name)))
}

const textOf = (value: unknown): string => JSON.stringify(value === '' ? undefined : value) ?? ''
