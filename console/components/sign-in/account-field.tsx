import Input, { type InputProps } from '@arco-design/web-react/es/Input'
import { type ReactNode, useId } from 'react'
import { PasswordInput } from '../form/password-input.tsx'
import type { FieldProblem } from './account-form.ts'

interface FieldProps extends Omit<InputProps, 'id' | 'name' | 'suffix'> {
  name: string
  label: string
  problem: FieldProblem | undefined
  /** A button beside the field. */
  suffix?: ReactNode
}

/** Attributes of the username field. */
export const USERNAME_INPUT = {
  autoFocus: true,
  autoComplete: 'username',
  autoCapitalize: 'none',
  spellCheck: false,
} as const

/** A field of an account form. The form reads it on submit, because password managers fill fields without events. */
export function AccountField({ label, problem, suffix, ...input }: FieldProps) {
  const id = useId()
  const isInvalid = problem?.field === input.name
  const Field = input.type === 'password' ? PasswordInput : Input
  const field = (
    <Field
      size="large"
      {...input}
      id={id}
      aria-invalid={isInvalid}
      aria-describedby={isInvalid ? `${id}-problem` : undefined}
      {...(isInvalid && { status: 'error' as const })}
    />
  )
  return (
    <div className="account-field">
      <label htmlFor={id}>{label}</label>
      {suffix ? (
        <div className="account-code">
          {field}
          {suffix}
        </div>
      ) : (
        field
      )}
      {isInvalid && (
        <p id={`${id}-problem`} className="account-problem">
          {problem.text}
        </p>
      )}
    </div>
  )
}
