import Button from '@arco-design/web-react/es/Button'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { formatDollars } from '../amounts.ts'
import './quota-input.css'

interface Props {
  id?: string
  value?: number
  onChange?: (quota: number | undefined) => void
  onPressEnter?: () => void
  disabled?: boolean
  min?: number
  max?: number
  /** Amounts that have a button each. */
  presets?: readonly number[]
  onBlur?: () => void
  status?: 'error'
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** An input for quota as a whole number. The field also shows the value in dollars. */
export function QuotaInput({
  value,
  onChange,
  presets = [],
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
  ...inputProps
}: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const dollars = (quota: number) => (status ? formatDollars(quota, status) : '')
  return (
    <div className="quota-input">
      <InputNumber
        {...inputProps}
        value={value as number}
        // Arco parses a lone minus sign as NaN.
        onChange={(quota: number | undefined) => onChange?.(Number.isNaN(quota) ? undefined : quota)}
        min={min}
        max={max}
        precision={0}
        step={500_000}
        suffix={value === undefined ? '' : t('form.equals', { amount: dollars(value) })}
      />
      {presets.length > 0 && (
        <div className="quota-presets">
          {presets.map((preset) => (
            <Button key={preset} size="mini" disabled={inputProps.disabled ?? false} onClick={() => onChange?.(preset)}>
              {dollars(preset)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
