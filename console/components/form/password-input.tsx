import Input, { type InputProps } from '@arco-design/web-react/es/Input'
import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import './password-input.css'

/**
 * A password field with a button that reveals the text. Arco's own button has no accessible name. Input longer than
 * `maxLength` is marked as an error, but not truncated, because a truncated password would be another password.
 */
export function PasswordInput({ maxLength, ...props }: InputProps) {
  const { t } = useTranslation()
  const [visible, setVisible] = useState(false)
  return (
    <Input
      {...props}
      {...(typeof maxLength === 'number' && { maxLength: { length: maxLength, errorOnly: true } })}
      type={visible ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className="password-eye"
          aria-label={t('form.showPassword')}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
        >
          {visible ? <IconEye /> : <IconEyeInvisible />}
        </button>
      }
    />
  )
}
