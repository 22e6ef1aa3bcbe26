import Slider from '@arco-design/web-react/es/Slider'
import Switch from '@arco-design/web-react/es/Switch'
import { useTranslation } from 'react-i18next'

interface Props {
  label: string
  range: { min: number; max: number; step: number }
  /** The value after the user switches the slider on. */
  first: number
  value: number | null
  onChange: (value: number | null) => void
}

/** A slider for a number that can be unset (`null`). An unset number is not sent, which differs from 0. */
export function OptionalSlider({ label, range, first, value, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <div className="optional-slider">
      <Switch
        size="small"
        checked={value !== null}
        aria-label={t('playground.setValue', { name: label })}
        onChange={(on) => onChange(on ? first : null)}
      />
      {value === null ? (
        <span className="muted">{t('playground.notSet')}</span>
      ) : (
        <Slider {...range} value={value} onChange={(next) => typeof next === 'number' && onChange(next)} />
      )}
    </div>
  )
}
