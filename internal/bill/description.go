package bill

import (
	"encoding/json"
	"errors"
)

// Description is what AWS says of a table and its backups. Its sizes are those of about six hours ago.
type Description struct {
	Stored []Stored
	// Class is the class of the table; "" for StandardClass.
	Class string
	// Provisioned is the capacity of the table and its global indexes; nil in on-demand mode.
	Provisioned []Throughput
	// KnowsPointInTime is set if it is known whether the table has point-in-time recovery.
	KnowsPointInTime, HasPointInTime bool

	name    string
	backups []backupSummary
}

// Throughput is what is provisioned for the table or a global index: so many units in each second.
type Throughput struct {
	// Index is the name of the index, "" for the table itself.
	Index         string
	Reads, Writes int64
}

// describedTable has, with the sizes, what describe-table says of a table.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html
type describedTable struct {
	TableName                 string
	TableSizeBytes, ItemCount *int64
	TableClassSummary         struct{ TableClass string }
	ProvisionedThroughput     describedThroughput
	GlobalSecondaryIndexes    []describedIndex
	LocalSecondaryIndexes     []describedIndex
}

type describedIndex struct {
	IndexName                 string
	IndexSizeBytes, ItemCount int64
	ProvisionedThroughput     describedThroughput
}

type describedThroughput struct{ ReadCapacityUnits, WriteCapacityUnits int64 }

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BackupSummary.html
type backupSummary struct {
	TableName, BackupStatus, BackupType string
	BackupSizeBytes                     int64
}

// Read adds the output of `aws dynamodb` with describe-table, describe-continuous-backups or list-backups.
func (d *Description) Read(text []byte) error {
	var read struct {
		Table                        *describedTable
		ContinuousBackupsDescription *struct {
			PointInTimeRecoveryDescription struct{ PointInTimeRecoveryStatus string }
		}
		BackupSummaries *[]backupSummary
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return errors.New("it is no description of a table, of its continuous backups, or list of backups")
	}
	switch t := read.Table; {
	case t != nil && t.TableSizeBytes != nil && t.ItemCount != nil:
		d.add(t)
	case t != nil:
		return errors.New("the description of the table has no TableSizeBytes and ItemCount")
	case read.ContinuousBackupsDescription != nil:
		d.KnowsPointInTime = true
		status := read.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus
		d.HasPointInTime = status == "ENABLED"
	case read.BackupSummaries != nil:
		d.backups = append(d.backups, *read.BackupSummaries...)
	default:
		return errors.New("it is no description of a table, of its continuous backups, or list of backups")
	}
	return nil
}

func (d *Description) add(t *describedTable) {
	d.name, d.Class = t.TableName, t.TableClassSummary.TableClass
	d.Stored = []Stored{{Bytes: *t.TableSizeBytes + overhead**t.ItemCount}}
	for _, ix := range t.GlobalSecondaryIndexes {
		d.Stored = append(d.Stored, Stored{ix.IndexName, true, ix.IndexSizeBytes + overhead*ix.ItemCount})
	}
	for _, ix := range t.LocalSecondaryIndexes {
		d.Stored = append(d.Stored, Stored{ix.IndexName, false, ix.IndexSizeBytes + overhead*ix.ItemCount})
	}
	if own := t.ProvisionedThroughput; own.ReadCapacityUnits > 0 { // in on-demand mode it has no units
		d.Provisioned = []Throughput{{"", own.ReadCapacityUnits, own.WriteCapacityUnits}}
		for _, ix := range t.GlobalSecondaryIndexes {
			of := ix.ProvisionedThroughput
			d.Provisioned = append(d.Provisioned, Throughput{ix.IndexName, of.ReadCapacityUnits, of.WriteCapacityUnits})
		}
	}
}

// BackupBytes returns the size of the backups of the table for which DynamoDB asks. Those of AWS Backup are in the bill
// of that service, and DynamoDB keeps its own ones for nothing.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListBackups.html
func (d *Description) BackupBytes() (bytes int64) {
	for _, s := range d.backups {
		if s.BackupType == "USER" && s.BackupStatus == "AVAILABLE" && s.TableName == d.name {
			bytes += s.BackupSizeBytes
		}
	}
	return bytes
}
