import Button from '@arco-design/web-react/es/Button'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listNoticeThresholds, type NoticeThreshold, setNoticeThreshold } from '../../api/notices.ts'
import { TagInput } from '../form/tag-input.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { useAction } from '../saving.ts'
import './notices.css'

/** The gateway's default thresholds in percent. */
const DEFAULT_PERCENTS = [80, 100]
const PERCENTS_MAX = 10
const isPercent = (text: string) => /^([1-9]\d?|100)$/.test(text)

interface Props extends Pick<NoticeThreshold, 'subject' | 'subject_id'> {
  /** The user who owns the balance or key. Absent: the current user. */
  userId?: number
}

/**
 * Editor of the percentages of a used balance or budget at which a notice is sent. The editor has its own button and no
 * form element, because it can be inside the form of a drawer.
 */
export function ThresholdEditor({ subject, subject_id, userId }: Props) {
  const { t } = useTranslation()
  const [editedTexts, setEdited] = useState<string[]>()
  const query = useQuery({
    queryKey: ['notice', 'thresholds', userId],
    queryFn: ({ signal }) => listNoticeThresholds(userId, signal),
  })
  const saveAction = useAction({
    run: (percents: number[]) => setNoticeThreshold({ subject, subject_id, percents }),
    done: t('notify.thresholdsSaved'),
    stale: ['notice'],
    after: () => setEdited(undefined),
  })
  if (query.isError) return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
  const storedThreshold = query.data?.find((row) => row.subject === subject && row.subject_id === subject_id)
  const visibleTexts = editedTexts ?? (storedThreshold?.percents ?? DEFAULT_PERCENTS).map(String)
  return (
    <div className="notice-thresholds">
      <span className="notice-thresholds-title">{t(`notify.thresholds.${subject}`)}</span>
      <div className="notice-thresholds-input">
        <TagInput
          value={visibleTexts}
          aria-label={t(`notify.thresholds.${subject}`)}
          disabled={query.isPending}
          placeholder={t('notify.thresholdsNone')}
          saveOnBlur
          tokenSeparators={[',', ' ', '，']}
          validate={(text) => isPercent(text.trim()) && visibleTexts.length < PERCENTS_MAX}
          onChange={(texts: string[]) => setEdited([...new Set(texts.map((text) => text.trim()))])}
        />
        <Button
          disabled={editedTexts === undefined}
          loading={saveAction.isPending}
          onClick={() => saveAction.mutate(visibleTexts.map(Number))}
        >
          {t('notify.thresholdsSave')}
        </Button>
      </div>
      <p className="notice-more">{t('notify.thresholdsHint')}</p>
    </div>
  )
}
