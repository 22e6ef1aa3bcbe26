import { EACH, type Limit, type NewLimit } from '../../api/limits.ts'

export interface LimitForm {
  subject: NewLimit['subject']
  subject_id: string
  measure: NewLimit['measure']
  period: Exclude<NewLimit['period'], 'none'>
  amount: number
  time_zone: string
  action: NonNullable<NewLimit['action']>
  wait_seconds: number
}

export const NEW_LIMIT_FORM: LimitForm = {
  subject: 'user',
  subject_id: EACH,
  measure: 'requests',
  period: 'minute',
  amount: 60,
  time_zone: '',
  action: 'reject',
  wait_seconds: 5,
}

export function limitFormOf(limit: Limit): LimitForm {
  const { subject, subject_id, measure, period, amount, time_zone, action, wait_seconds } = limit
  return {
    subject,
    subject_id,
    measure,
    period: period === 'none' ? NEW_LIMIT_FORM.period : period,
    amount,
    time_zone,
    action,
    wait_seconds: wait_seconds || NEW_LIMIT_FORM.wait_seconds,
  }
}

export function limitOfForm(form: LimitForm): NewLimit {
  const { subject, subject_id, measure, amount, action } = form
  const isConcurrent = measure === 'concurrent'
  const zone = form.time_zone.trim()
  return {
    subject,
    subject_id: subject_id.trim(),
    measure,
    period: isConcurrent ? 'none' : form.period,
    amount,
    action,
    ...(!isConcurrent && zone !== '' && { time_zone: zone }),
    ...(action === 'queue' && { wait_seconds: form.wait_seconds }),
  }
}

/** Returns the names of IANA time zones, as suggestions. */
export const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]
