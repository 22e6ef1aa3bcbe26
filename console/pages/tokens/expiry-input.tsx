import Button from '@arco-design/web-react/es/Button'
import DatePicker from '@arco-design/web-react/es/DatePicker'
import Input from '@arco-design/web-react/es/Input'
import { IconCalendar } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { parseExpiry } from './token-form.ts'

interface Props {
  id?: string
  value?: string
  onChange?: (text: string) => void
  'aria-label'?: string
}

/** An input for a time, which the user can type or pick. Unlike Arco's date field, this keeps invalid text for correction. */
export function ExpiryInput({ value = '', onChange, ...inputProps }: Props) {
  const { t } = useTranslation()
  const pickerValue = value !== '' && parseExpiry(value) !== undefined ? { value } : {}
  return (
    <Input
      {...inputProps}
      value={value}
      onChange={(text) => onChange?.(text)}
      placeholder={t('token.expiryHint')}
      allowClear
      suffix={
        <DatePicker
          {...pickerValue}
          showTime
          format="YYYY-MM-DD HH:mm:ss"
          position="br"
          onChange={(text) => onChange?.(text ?? '')}
          triggerElement={<Button size="mini" type="text" icon={<IconCalendar />} aria-label={t('token.pickExpiry')} />}
        />
      }
    />
  )
}
