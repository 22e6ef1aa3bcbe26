import Message from '@arco-design/web-react/es/Message'
import { type FormEvent, useState } from 'react'

export interface Problem {
  field: string
  text: string
}

/** What the fields of a form have, by their names. */
export type Values = Record<string, string>

interface Form {
  /** The first thing that is wrong with what was typed. */
  check: (values: Values) => Problem | undefined
  submit: (values: Values) => void
}

/** Reads and checks a form. What is wrong is said in a toast and at its field, which gets the focus. */
export function useAccountForm({ check, submit }: Form) {
  const [problem, setProblem] = useState<Problem>()
  return {
    problem,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      const form = event.currentTarget
      const values = valuesOf(form)
      const found = check(values)
      setProblem(found)
      if (!found) return submit(values)
      Message.error(found.text)
      const field = form.elements.namedItem(found.field)
      if (field instanceof HTMLInputElement) field.focus()
    },
  }
}

/** Passwords as they are, everything else without the blanks around it. */
export function valuesOf(form: HTMLFormElement): Values {
  const entries = Array.from(new FormData(form), ([name, value]) => {
    const text = typeof value === 'string' ? value : ''
    return [name, name.startsWith('password') ? text : text.trim()] as const
  })
  return Object.fromEntries(entries)
}
