public import RemindavBridge
public import RemindavICalendar
public import RemindavNotifications
public import RemindavReminders

// The types of other modules in this interface, so that a program imports only this module.

/// The folder of the store, the local zone and the clock.
public typealias Configuration = RemindavBridge.Configuration
/// A reminder with the fields that a list or a form shows.
public typealias ReminderView = RemindavBridge.ReminderView
/// Selects reminders.
public typealias ReminderFilter = RemindavBridge.ReminderFilter
/// The values of a new reminder.
public typealias ReminderDraft = RemindavReminders.ReminderDraft
/// The changed fields of a reminder.
public typealias ReminderChange = RemindavReminders.ReminderChange
/// A colour of a label or a list.
public typealias LabelColor = RemindavReminders.LabelColor
/// A moment, in seconds since 1970.
public typealias Instant = RemindavICalendar.Instant
/// A date, or a date with a time and a zone.
public typealias CalendarDateOrDateTime = RemindavICalendar.CalendarDateOrDateTime
/// The times of alarms of reminders without an alarm of their own.
public typealias AlarmSettings = RemindavReminders.AlarmSettings
/// The lists and labels without alarms.
public typealias MuteRules = RemindavBridge.MuteRules
/// An action of an alarm.
public typealias NotificationAction = RemindavNotifications.NotificationAction
/// The priority of a reminder (RFC 5545 §3.8.1.9).
public typealias Priority = RemindavReminders.Priority
/// A date without a time of day.
public typealias CalendarDate = RemindavICalendar.CalendarDate
/// A date with a time of day, in UTC, in a zone or in the local time.
public typealias CalendarDateTime = RemindavICalendar.CalendarDateTime
/// Words to search, for ``ReminderFilter``.
public typealias SearchQuery = RemindavReminders.SearchQuery
/// A repeat rule (RFC 5545 §3.3.10).
public typealias RecurrenceRule = RemindavICalendar.RecurrenceRule
/// A length of time (RFC 5545 §3.3.6).
public typealias CalendarDuration = RemindavICalendar.CalendarDuration
/// A time of day.
public typealias ClockTime = RemindavICalendar.ClockTime
/// The clock of a time: UTC, the local time or a zone.
public typealias ZoneReference = RemindavICalendar.ZoneReference
/// A day of the week.
public typealias Weekday = RemindavICalendar.Weekday
/// An alarm of a new or changed reminder.
public typealias AlarmChoice = RemindavReminders.AlarmChoice
/// The change of one field.
public typealias FieldChange = RemindavReminders.FieldChange
/// The change of the labels of a reminder.
public typealias LabelEdit = RemindavReminders.LabelEdit
/// The group of a reminder in a list.
public typealias ListGroup = RemindavReminders.ListGroup
/// Another reminder that a change names.
public typealias ReminderReference = RemindavReminders.ReminderReference
/// The status of a reminder.
public typealias Status = RemindavReminders.Status
