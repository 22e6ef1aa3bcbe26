import type { FormInstance } from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveQuestion } from '../leave-question.tsx'

interface Options<Values extends object> {
  visible: boolean
  form: FormInstance<Values>
  initialValues: Partial<Values> | undefined
  /** Submits the form. Must report its own errors; a rejection keeps the window open. */
  onSubmit: (values: Values) => Promise<unknown>
  onClose: () => void
}

interface FormWindow<Values> {
  /** Id for the form, and for the `form` attribute of the submit button. */
  id: string
  /** True while saving. The fields must then be disabled, because later input would be lost when the window closes. */
  busy: boolean
  submit: (values: Values) => Promise<void>
  /** Must be called on every field change. */
  touch: () => void
  /** Whether closing the window now would lose input. */
  isEdited: () => boolean
  /** Closes the window, or asks first if input would be lost. */
  close: () => void
  /** Render this next to the window. */
  question: ReactNode
}

/** Logic of drawers and dialogs with a form. Prevents a second submission, and asks before input is discarded. */
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
  // Validation runs before `busy` is set, so the user can press Enter a second time meanwhile.
  const saving = useRef(false)
  const open = useRef(visible)
  // Counts the openings. While a save is pending, the user may close the window and reopen it for another record.
  const opening = useRef(0)

  useEffect(() => {
    open.current = visible
    opening.current++
    saving.current = false
    if (visible) touched.current = false
    else setAsking(false)
    setBusy(false)
  }, [visible])

  // Disabled fields lose the focus. Focus the button meanwhile, so that Escape still closes the window.
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
    const ownOpening = opening.current
    const isOpen = () => opening.current === ownOpening
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
    // The form remains busy until the window is closed, to prevent a second submission.
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

/** Returns whether any field differs from its initial value. An empty text equals an unset field. */
function differs<Values extends object>(values: Partial<Values>, initial: Partial<Values> = {}): boolean {
  const initialEntries = new Map(Object.entries(initial))
  return Object.entries(values).some(([name, value]) => textOf(value) !== textOf(initialEntries.get(name)))
}

const textOf = (value: unknown): string => JSON.stringify(value === '' ? undefined : value) ?? ''
