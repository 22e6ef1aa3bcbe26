// The pickers accept only the time objects of Arco's own dayjs.
import { dayjs } from '@arco-design/web-react/es/_util/dayjs'
import DatePicker from '@arco-design/web-react/es/DatePicker'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../layout/narrow.ts'
import './time-range-picker.css'

/** A range in unix seconds. Undefined: no start or no end. */
interface TimeRangeValue {
  from: number | undefined
  to: number | undefined
}

interface Props {
  value: TimeRangeValue
  /** Called with the new range. After the user clears the field, start and end are undefined. */
  onChange: (range: TimeRangeValue) => void
  /** Ranges that have a button each. */
  shortcuts: readonly { text: string; range: () => { from: number; to: number } }[]
}

/** An input for a time range, to the second, in the user's time zone. */
export function TimeRangePicker({ value: { from, to }, onChange, shortcuts }: Props) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const [start, end] = [t('form.rangeStart'), t('form.rangeEnd')]
  return (
    <DatePicker.RangePicker
      showTime
      format="YYYY-MM-DD HH:mm:ss"
      placeholder={[start, end]}
      inputProps={[{ 'aria-label': start }, { 'aria-label': end }]}
      {...(from !== undefined && to !== undefined ? { value: [from * 1000, to * 1000] } : { value: [] })}
      onChange={(_, dates) => onChange({ from: dates?.[0]?.unix(), to: dates?.[1]?.unix() })}
      shortcutsPlacementLeft={!narrow}
      shortcuts={shortcuts.map(({ text, range }) => ({
        text,
        value: () => {
          const { from, to } = range()
          return [dayjs(from * 1000), dayjs(to * 1000)]
        },
      }))}
    />
  )
}
