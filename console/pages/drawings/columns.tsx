import Button from '@arco-design/web-react/es/Button'
import { IconImage } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import type { Drawing } from '../../api/drawings.ts'
import type { Column } from '../../components/data-table/column.ts'
import { DateTime } from '../../components/date-time.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { Duration, lasted } from '../../components/task-list/duration.tsx'
import { LongText } from '../../components/task-list/long-text.tsx'
import { TaskProgress } from '../../components/task-list/task-progress.tsx'
import { TaskStatus, taskStatusLook } from '../../components/task-list/task-status.tsx'
import { isoTime } from '../../components/times.ts'
import { actionLook, codeLook } from './drawing-looks.ts'

const secondsOf = ({ submit_time, finish_time }: Drawing) => lasted(submit_time / 1000, finish_time / 1000)

export function drawingColumns(
  t: TFunction,
  everybody: boolean,
  onOpen: (drawing: Drawing) => void,
): Column<Drawing>[] {
  return [
    {
      key: 'submit_time',
      width: 122,
      fixed: 'left',
      early: true,
      title: t('task.submitted'),
      render: ({ submit_time }) => <DateTime seconds={submit_time / 1000} />,
      value: ({ submit_time }) => isoTime(submit_time / 1000),
    },
    {
      key: 'duration',
      width: 90,
      rank: 2,
      title: t('task.duration'),
      render: (drawing) => <Duration seconds={secondsOf(drawing)} />,
      value: (drawing) => secondsOf(drawing) ?? '',
    },
    ...(everybody
      ? [
          {
            key: 'channel_id',
            width: 70,
            rank: 5,
            title: t('task.channel'),
            render: ({ channel_id }: Drawing) => channel_id,
            value: ({ channel_id }: Drawing) => channel_id,
          },
        ]
      : []),
    {
      key: 'action',
      width: 100,
      title: t('task.type'),
      render: ({ action }) => actionLook(t, action).text,
      value: ({ action }) => actionLook(t, action).text,
    },
    {
      key: 'mj_id',
      width: 150,
      title: t('task.id'),
      render: (drawing) => (
        <Button type="text" size="mini" className="long-text" onClick={() => onOpen(drawing)}>
          {drawing.mj_id || '–'}
        </Button>
      ),
      value: ({ mj_id }) => mj_id,
    },
    {
      key: 'code',
      width: 90,
      rank: 3,
      title: t('drawing.result'),
      render: ({ code }) => <StatusTag {...codeLook(t, code)} />,
      value: ({ code }) => codeLook(t, code).text,
    },
    {
      key: 'status',
      width: 100,
      early: true,
      title: t('task.status'),
      render: ({ status }) => <TaskStatus status={status} />,
      value: ({ status }) => taskStatusLook(t, status).text,
    },
    {
      key: 'progress',
      width: 100,
      rank: 4,
      title: t('task.progress'),
      render: ({ progress, status }) => <TaskProgress progress={progress} status={status} />,
      value: ({ progress }) => progress,
    },
    {
      key: 'image_url',
      width: 100,
      early: true,
      title: t('drawing.image'),
      render: (drawing) =>
        drawing.image_url === '' ? (
          t('drawing.noImage')
        ) : (
          <Button size="mini" icon={<IconImage />} onClick={() => onOpen(drawing)}>
            {t('drawing.showImage')}
          </Button>
        ),
      value: ({ image_url }) => image_url,
    },
    {
      key: 'fail_reason',
      width: 110,
      title: t('task.failReason'),
      render: ({ fail_reason }) => <LongText title={t('task.failReason')} text={fail_reason} />,
      value: ({ fail_reason }) => fail_reason,
    },
    {
      key: 'prompt',
      width: 110,
      grow: true,
      rank: 4,
      title: t('drawing.prompt'),
      render: ({ prompt }) => <LongText title={t('drawing.prompt')} text={prompt} />,
      value: ({ prompt }) => prompt,
    },
    {
      key: 'prompt_en',
      title: t('drawing.promptEn'),
      hidden: true,
      render: ({ prompt_en }) => <LongText title={t('drawing.promptEn')} text={prompt_en} />,
      value: ({ prompt_en }) => prompt_en,
    },
  ]
}
