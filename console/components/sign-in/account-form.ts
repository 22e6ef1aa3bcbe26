import Message from '@arco-design/web-react/es/Message'
import { type FormEvent, useState } from 'react'

export interface FieldProblem {
  field: string
  text: string
}

/** Form values by field name. */
export type Values = Record<string, string>

interface Form {
  /** Returns the first problem of the input. */
  check: (values: Values) => FieldProblem | undefined
  submit: (values: Values) => void
}

/** Reads and checks a form. Problems are shown in a toast and at the field, which gets the focus. */
export function useAccountForm({ check, submit }: Form) {
  const [problem, setProblem] = useState<FieldProblem>()
  return {
    problem,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      const form = event.currentTarget
      const values = valuesOf(form)
      const problems = check(values)
      setProblem(problems)
      if (!problems) return submit(values)
      Message.error(problems.text)
      const field = form.elements.namedItem(problems.field)
      if (field instanceof HTMLInputElement) field.focus()
    },
  }
}

/** Returns passwords unchanged and other values trimmed. */
export function valuesOf(form: HTMLFormElement): Values {
  const entries = Array.from(new FormData(form), ([name, value]) => {
    const text = typeof value === 'string' ? value : ''
    return [name, name.startsWith('password') ? text : text.trim()] as const
  })
  return Object.fromEntries(entries)
}
