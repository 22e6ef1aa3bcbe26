import Input, { type InputProps } from '@arco-design/web-react/es/Input'
import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A password field that can show what was typed. Arco's own has an eye without a name, which nobody hears of. */
export function PasswordInput(props: InputProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className="password-eye"
          aria-label={t('login.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? <IconEye /> : <IconEyeInvisible />}
        </button>
      }
    />
  )
}
