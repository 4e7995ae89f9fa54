"""Somebody else's producer: writes to every partition of a topic and takes it all back.

Arguments: BROKERS TOPIC PARTITIONS
"""

import sys

from confluent_kafka import Producer

brokers, topic, partitions = sys.argv[1:]

producer = Producer({"bootstrap.servers": brokers, "transactional.id": "somebody-else"})
producer.init_transactions()
producer.begin_transaction()
headers = {"ce_type": "never.happened"}
for partition in range(int(partitions)):
    producer.produce(topic, key="aborted", value=b"", headers=headers, partition=partition)
producer.flush()
producer.abort_transaction()
