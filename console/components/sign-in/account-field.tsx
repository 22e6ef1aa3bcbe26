import Input, { type InputProps } from '@arco-design/web-react/es/Input'
import { type ReactNode, useId } from 'react'
import { PasswordInput } from '../form/password-input.tsx'
import type { Problem } from './account-form.ts'

interface FieldProps extends Omit<InputProps, 'id' | 'name' | 'suffix'> {
  name: string
  label: string
  problem: Problem | undefined
  /** A button beside the field. */
  beside?: ReactNode
}

/** A field of an account form. Its value is read from the form, since password managers fill fields without events. */
export function AccountField({ label, problem, beside, ...input }: FieldProps) {
  const id = useId()
  const wrong = problem?.field === input.name
  const Field = input.type === 'password' ? PasswordInput : Input
  const field = (
    <Field
      size="large"
      {...input}
      id={id}
      aria-invalid={wrong}
      aria-describedby={wrong ? `${id}-problem` : undefined}
      {...(wrong && { status: 'error' as const })}
    />
  )
  return (
    <div className="account-field">
      <label htmlFor={id}>{label}</label>
      {beside ? (
        <div className="account-code">
          {field}
          {beside}
        </div>
      ) : (
        field
      )}
      {wrong && (
        <p id={`${id}-problem`} className="account-problem">
          {problem.text}
        </p>
      )}
    </div>
  )
}
