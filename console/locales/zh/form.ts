export const form = {
  equals: '≈ {{amount}}',
  rangeStart: '开始时间',
  rangeEnd: '结束时间',
  showPassword: '显示密码',
  options: '选项',
  stay: '继续编辑',
  submittedTwice: '提交失败，请勿重复提交！',
  leave: '有未保存的修改',
  leaveHint: '离开后这些修改会丢失。',
  leaveAnyway: '放弃修改并离开',
}
