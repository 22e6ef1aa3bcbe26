import Message from '@arco-design/web-react/es/Message'
import { type FormEvent, useState } from 'react'

export interface FieldProblem {
  field: string
  text: string
}

/** Form values by field name. */
export type FormValues = Record<string, string>

interface Form {
  /** Returns the first problem of the input; undefined if the input is valid. */
  check: (values: FormValues) => FieldProblem | undefined
  submit: (values: FormValues) => void
}

/** Reads and checks a form on submit. Shows a problem in a toast and at its field, and focuses the field. */
export function useAccountForm({ check, submit }: Form) {
  const [problem, setProblem] = useState<FieldProblem>()
  return {
    problem,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      const form = event.currentTarget
      const values = formValuesOf(form)
      const firstProblem = check(values)
      setProblem(firstProblem)
      if (!firstProblem) return submit(values)
      Message.error(firstProblem.text)
      const field = form.elements.namedItem(firstProblem.field)
      if (field instanceof HTMLInputElement) field.focus()
    },
  }
}

/** Returns the values of a form. Passwords are unchanged; other values are trimmed. */
export function formValuesOf(form: HTMLFormElement): FormValues {
  const entries = Array.from(new FormData(form), ([name, value]) => {
    const text = typeof value === 'string' ? value : ''
    return [name, name.startsWith('password') ? text : text.trim()] as const
  })
  return Object.fromEntries(entries)
}
