drop table orders;
